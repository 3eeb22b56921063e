// Numbers that come as base64 text.

export const decoded = (text, Type) =>
  new Type(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer);
