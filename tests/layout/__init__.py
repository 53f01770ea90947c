"""The layout of templates, stylesheets and scripts: one element or statement a line, 120 columns."""
