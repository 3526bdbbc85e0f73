/** Revisions with a handshake, oldest first. */
export const LEGACY_VERSIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const;

/** Revisions without one: every request says what it speaks. */
export const MODERN_VERSIONS = ['2026-07-28'] as const;

export type LegacyVersion = (typeof LEGACY_VERSIONS)[number];
export type ModernVersion = (typeof MODERN_VERSIONS)[number];

/** The version answered where a client asks for one that is not spoken here. */
export const LATEST_LEGACY: LegacyVersion = '2025-11-25';
export const LATEST_MODERN: ModernVersion = '2026-07-28';

/** Version for the answer to `initialize`: the one asked for, or the latest of that era. */
export function negotiateLegacy(requested: unknown): LegacyVersion {
  return LEGACY_VERSIONS.find((version) => version === requested) ?? LATEST_LEGACY;
}

export function isModernVersion(version: unknown): version is ModernVersion {
  return MODERN_VERSIONS.some((known) => known === version);
}
