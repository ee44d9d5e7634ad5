"""Logs the peak of GPU memory that JAX or PyTorch itself counts, which smilog tells instead of what it reserved.

    import smilog_jax
    smilog_jax.log("out/run.jsonl")     # in the program that uses the GPU, at its end or now and then
"""
import datetime, json, os, sys


def peaks():
    """Bytes of the fullest GPU, of each framework that this program has imported; {}: nothing is known."""
    jax, torch, found = sys.modules.get("jax"), sys.modules.get("torch"), {}
    if jax:
        found["peak_bytes_in_use"] = max((d.memory_stats() or {}).get("peak_bytes_in_use", 0) for d in jax.local_devices())
    if torch and torch.cuda.is_available():
        found["torch_max_memory_allocated"] = max(map(torch.cuda.max_memory_allocated, range(torch.cuda.device_count())))
    return {key: int(n) for key, n in found.items() if n}


def log(path, event="gpu_memory"):
    """Appends them as an event to the RunLog at path, as one whole line; without any, nothing. Returns them."""
    data, ts = peaks(), datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds")
    if data:
        fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        os.write(fd, (json.dumps({"ts": ts, "type": "event", "event": event, "data": data}) + "\n").encode())
        os.close(fd)
    return data
