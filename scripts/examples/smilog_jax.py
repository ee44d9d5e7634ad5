"""Logs the peak of GPU memory that JAX or PyTorch itself counts, which smilog tells instead of what it reserved.

    import smilog_jax
    smilog_jax.log()                    # in the program that uses the GPU, at its end or now and then: below smilog run
    smilog_jax.log("out/run.jsonl")     # anywhere else

log() never raises: what it could not read or write is said once on standard error, and the training goes on.
"""
import datetime, json, os, sys

_said, _forked = {}, set()


def _after_fork():
    if getattr(sys.modules.get("jax._src.xla_bridge"), "_backends", None):
        _forked.add("jax")  # it does not work in a fork of a process that used it: to ask would wait for ever


os.register_at_fork(after_in_child=_after_fork)


def jax_peak():
    jax = sys.modules.get("jax")
    if jax and "jax" in _forked:
        raise RuntimeError("JAX cannot be asked in a forked process")
    return jax and max((d.memory_stats() or {}).get("peak_bytes_in_use", 0) for d in jax.local_devices())


def torch_peak():
    torch = sys.modules.get("torch")
    if torch and torch.cuda.is_available():
        return max(map(torch.cuda.max_memory_allocated, range(torch.cuda.device_count())))


def say(what, why):
    """Once for each thing, from whatever thread; also where there is no standard error."""
    me = object()
    if _said.setdefault(what, me) is me and sys.stderr:
        try:
            print(f"smilog_jax: {what}: {why}", file=sys.stderr, flush=True)
        except Exception:
            pass


def peaks():
    """Bytes of the fullest GPU, of each framework that this program has imported; {}: nothing is known."""
    found = {}
    for key, ask in (("peak_bytes_in_use", jax_peak), ("torch_max_memory_allocated", torch_peak)):
        try:
            found[key] = int(ask() or 0)
        except Exception as why:
            say(f"{key} is not known", why)
    return {key: n for key, n in found.items() if n}


def log(path=None, event="gpu_memory"):
    """Appends them as an event to the RunLog at path, as one whole line; without any, nothing. Returns them.

    Without path it is the RunLog of smilog run, which names its directory in SMILOG_DIR."""
    data, ts = peaks(), datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds")
    try:
        if path is None:
            path = os.path.join(os.environ["SMILOG_DIR"], "run.jsonl")
        line = (json.dumps({"ts": ts, "type": "event", "event": str(event), "data": data}) + "\n").encode()
        if data:
            fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
            try:
                written = os.write(fd, line)
            finally:
                os.close(fd)
            if written < len(line):
                raise OSError(f"only {written} of {len(line)} bytes were written")
    except KeyError:
        say(f"no line of {sorted(data)}", "log() without a path needs SMILOG_DIR, which smilog run sets")
    except Exception as why:
        say(f"{path!r} has no line of {sorted(data)}", why)
    return data
