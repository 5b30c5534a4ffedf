/** What is typed, cut into words, phrases and filters with their places, as the daemon reads them. Any text has a reading. Pure. */

/** `from` and `to` are UTF-16 offsets of `raw`; `key` is "#" for a hash tag, the property's name for `[…]`, "" for words. */
export interface Token {
  readonly kind: "word" | "phrase" | "filter" | "property" | "tag";
  readonly negative: boolean;
  readonly key: string;
  readonly value: string;
  readonly from: number;
  readonly to: number;
  readonly raw: string;
}

/** Names of filters that take a value. */
export const FILTERS = ["folder", "path", "file", "tag", "project", "tier", "after", "before", "within", "in", "fact", "category", "trust"] as const;

const ITEM =
  /(-?(?:"[^"]*"|“[^“”]*”))|(-?\[([^\s[\]:"][^[\]:"]*|"[^"]*")(?::("[^"]*"|[^[\]"]*))?\](?!\S))|-?([A-Za-z]{2,10}):("[^"]*"(?!\S)|“[^“”]*”(?!\S)|\S+)|(-?#\S+)|\S+/g;

export function tokenize(query: string): readonly Token[] {
  return [...query.matchAll(ITEM)].map(tokenOf);
}

/** The query with `raw` at its end, unless it has it already. */
export function withToken(query: string, raw: string): string {
  const has = tokenize(query).some((token) => token.raw.toLowerCase() === raw.toLowerCase());
  return has ? query : [query.trim(), raw].filter((part) => part !== "").join(" ");
}

export function withoutToken(query: string, token: Token): string {
  return `${query.slice(0, token.from).trimEnd()} ${query.slice(token.to).trimStart()}`.trim();
}

/** `key:value`, in quotes where the value needs them. */
export function filterText(key: string, value: string): string {
  return /[\s"]/.test(value) ? `${key}:"${value.replace(/"/g, "")}"` : `${key}:${value}`;
}

/** A text of a note as a query of words only: nothing in it is an operator. At most `most` characters, cut between words. */
export function asWords(text: string, most: number): string {
  const plain = text.replace(/[^\p{L}\p{N}\p{M}'’._-]+/gu, " ").replace(/(^|\s)[-'’._]+/g, "$1").replace(/\s+/g, " ").trim();
  return plain.length <= most ? plain : plain.slice(0, plain.lastIndexOf(" ", most) + 1 || most).trim();
}

function tokenOf(match: RegExpMatchArray): Token {
  const [raw, phrase, property, propertyKey, propertyValue, name, value, tag] = match;
  const from = match.index ?? 0;
  const negative = raw.length > 1 && raw.startsWith("-") && !raw.startsWith("--");
  const at = { negative, from, to: from + raw.length, raw };
  const bare = negative ? raw.slice(1) : raw;
  if (phrase !== undefined) {
    return { ...at, kind: "phrase", key: "", value: bare.slice(1, -1) };
  }
  if (property !== undefined) {
    return { ...at, kind: "property", key: unquoted(propertyKey ?? ""), value: unquoted(propertyValue ?? "") };
  }
  if (tag !== undefined) {
    return { ...at, kind: "tag", key: "#", value: bare.slice(1) };
  }
  const key = name?.toLowerCase() ?? "";
  if (value !== undefined && (FILTERS as readonly string[]).includes(key)) {
    return { ...at, kind: "filter", key, value: unquoted(value) };
  }
  return { ...at, kind: "word", key: "", value: bare };
}

function unquoted(value: string): string {
  return value.trim().replace(/^["“](.*)["”]$/s, "$1").trim();
}
