"""Checks of a request's arguments: what does not pass is refused with `bad_arg`."""

from eyedeck.link.session import Refused


def integer(args, key, low, high):
    """Return a whole number from `low` to `high`."""
    value = args.get(key)
    if type(value) is not int or not low <= value <= high:
        raise Refused("bad_arg", "%s must be %d to %d" % (key, low, high))
    return value


def flag(args, key, default=None):
    """Return true or false."""
    value = args.get(key, default)
    if type(value) is not bool:
        raise Refused("bad_arg", key + " must be true or false")
    return value


def one_of(args, key, choices, default=None):
    """Return one of some words."""
    value = args.get(key, default)
    if value not in choices:
        raise Refused("bad_arg", "%s must be one of %s" % (key, " ".join(choices)))
    return value
