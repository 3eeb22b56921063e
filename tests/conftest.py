from hypothesis import settings

# How long an example takes says more about the machine, and about what compiles first, than
# about the code.
settings.register_profile("exrpca", deadline=None)
settings.load_profile("exrpca")
