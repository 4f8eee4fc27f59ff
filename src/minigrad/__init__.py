from .scalar import Value as Value
