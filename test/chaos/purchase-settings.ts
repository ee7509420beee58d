import defaults from '../../config/default.json' with { type: 'json' }

/** The lag of the registry's list in the worlds of these scenarios. */
export const listLagMs = 2_000

/** The settings of purchases for a short run, where they exist. */
export const purchaseSettings: Record<string, unknown> =
  'purchases' in defaults
    ? { purchases: { ...(defaults as { purchases: object }).purchases, listLag: `${listLagMs}ms` } }
    : {}
