"""The local web page on which a person sees the senses, the directions and the cleaning."""
