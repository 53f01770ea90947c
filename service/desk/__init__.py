"""The desk, the use cases: who may do what, load, decide, record, show; knows neither Litestar nor click."""
