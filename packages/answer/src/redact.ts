const keyShapes: readonly RegExp[] = [
  /\b(?:sk|rk|pk|sess|org)-[A-Za-z0-9_*-]{6,}/g,
  /\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=*-]{6,}/gi,
  /\b(gh[pousr]_|github_pat_|xox[abprs]-|AIza|AKIA|eyJ[A-Za-z0-9_-]+\.eyJ)[A-Za-z0-9_.-]{8,}/g,
  // Credentials inside an address.
  /(?<=:\/\/)[^/\s:@]+:[^/\s@]+(?=@)/g,
];

/** Takes out everything shaped like a key, and the given secrets whatever their shape. */
export function redact(text: string, secrets: readonly string[] = []): string {
  let clean = text;
  for (const secret of secrets) {
    // A very short secret would blot out ordinary words.
    if (secret.length >= 6) clean = clean.replaceAll(secret, '[redacted]');
  }
  for (const shape of keyShapes) clean = clean.replace(shape, '[redacted]');
  return clean;
}
