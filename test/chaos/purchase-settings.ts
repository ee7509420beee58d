import defaults from '../../config/default.json' with { type: 'json' }

/** How late the registry's list may be, in the worlds that are played here. */
export const listLagMs = 2_000

/** The settings of purchases for a short run, where there are such settings. */
export const purchaseSettings: Record<string, unknown> =
  'purchases' in defaults
    ? { purchases: { ...(defaults as { purchases: object }).purchases, listLag: `${listLagMs}ms` } }
    : {}
