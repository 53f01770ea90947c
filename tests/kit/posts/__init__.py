"""Every write of the API, asked once at least, and what each is answered."""
