"""Individual movements: evenings at tables of four on which partners change from round to round."""
