"""The description of the HTTP interface as an OpenAPI document."""
