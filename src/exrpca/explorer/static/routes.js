// Every view has an address: #/word/bank?rank=3. Words may hold any character.

export function address(view, word, parameters = {}) {
  const path = word === undefined || word === null ? view : `${view}/${encodeURIComponent(word)}`;
  return `#/${path}${queryString(parameters)}`;
}

// Lists become repeated names; empty values are left out.
export function queryString(parameters) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    for (const each of [value].flat()) {
      if (each !== null && each !== undefined && each !== "") query.append(name, each);
    }
  }
  return query.size ? `?${query}` : "";
}

export function parse(hash) {
  const [path, query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [view, word] = path.split("/", 2);
  return {
    view: view || "home",
    word: word === undefined ? null : decoded(word),
    query: new URLSearchParams(query),
  };
}

// Changes the address of the view that is open, without opening it again.
export function rewrite(hash) {
  // a page inside a notebook has no address of its own
  if (location.protocol !== "about:") history.replaceState(history.state, "", hash);
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a stray % in an address typed by hand
  }
}
