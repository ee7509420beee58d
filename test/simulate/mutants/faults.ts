/** A change of one file: a text that stands there once, and what stands there instead. */
export type Change = readonly [file: string, from: string, to: string]

/** Deliberate faults, each of which the simulation must find within a minute. */
export const faults: Record<string, readonly Change[]> = {
  'batch-without-limit': [
    [
      'src/engine/feed.ts',
      'const fits = await reserveForBatch(tx, batchId, wanted.length)',
      'const fits = Math.max(wanted.length, await reserveForBatch(tx, batchId, 0))',
    ],
  ],
  'buys-without-looking': [
    [
      'src/purchases/check-purchases.ts',
      'if (lookups.length === 0) return Promise.resolve([])',
      'if (lookups.length >= 0) return Promise.resolve([])',
    ],
    [
      'test/simulate/run/operators.ts',
      "if (adopt) await adoptBought(tx, { batchId: id }, { of: 'any', freshSince, deadlineAt, now })",
      "if (adopt && !adopt) await adoptBought(tx, { batchId: id }, { of: 'any', freshSince, deadlineAt, now })",
    ],
  ],
  'calls-before-intents': [
    [
      'src/engine/feed.ts',
      'const lookups = await beginIntents(engine, payload, ids.splice(0, places.count), jobId, server)',
      `const now = ids.splice(0, places.count)
    void beginIntents(engine, payload, now, jobId, server)
    const sendingAt = engine.clock()
    const lookups = toBuy.filter(({ id }) => now.includes(id)).map((each) => ({ ...each, state: 'sending' as const, sendingAt, charged: 'unknown' as const }))`,
    ],
  ],
  'counts-unverified': [
    [
      'src/monitoring/finish-radar-sweep.ts',
      "const end = { state: 'done' as const, ...coverage, detail, now: clock() }",
      "const end = { state: 'done' as const, ...coverage, verified: coverage.due, detail, now: clock() }",
    ],
  ],
  'cut-list-ends-monitoring': [
    [
      'src/monitoring/mirror-radars.ts',
      'const suspected = suspicionOf({ complete: listed.complete, listed: radars.length, ...size })',
      'const suspected = suspicionOf({ complete: true, listed: 1, mirrored: size.mirrored, missing: 0 })',
    ],
  ],
  'day-without-budget': [
    [
      'src/engine/feed.ts',
      'const dailyBudget = spendingKinds.includes(lane.kind) ? { day: engine.today(now), perDay: engine.budgetPerDay } : null',
      'const dailyBudget = spendingKinds.includes(lane.kind) ? { day: engine.today(now), perDay: null } : null',
    ],
  ],
  'ended-radar-hides-active': [
    [
      'src/monitoring/mirror-radars.ts',
      'const radar = links.findLast(({ active }) => active !== false) ?? links.at(-1)!',
      'const radar = links.at(-1)!',
    ],
  ],
  'erased-is-bought-again': [
    [
      'test/simulate/store/purchases/adopt-bought.ts',
      'if (erased.length === 0) return',
      'if (erased.length >= 0) return',
    ],
  ],
  'erases-while-under-way': [
    [
      'test/simulate/store/people/erase.ts',
      'return isUnsettled ? null : about.map(',
      'return isUnsettled && about.length < 0 ? null : about.map(',
    ],
  ],
  'judge-adopts-older': [
    [
      'src/domain/judge.ts',
      'call.listSnapshotId === null ? isDatedBefore(purchase, call) : purchase.listSnapshotId <= call.listSnapshotId',
      'call.listSnapshotId === null ? isDatedBefore(purchase, call) : purchase.listSnapshotId < 0n',
    ],
  ],
  'judge-by-incomplete-list': [
    [
      'src/domain/judge.ts',
      'if (!(list.complete || isAround(call, list))) {',
      'if (!call.isRefused && !call.sentAt) {',
    ],
  ],
  'judge-by-one-list': [
    [
      'src/domain/advance.ts',
      'if (lookup.unlistedAt && lateAt === null) {',
      'if (lookup.unlistedAt || lateAt === null) {',
    ],
  ],
  'judge-refusal-by-any-list': [
    [
      'src/domain/judge.ts',
      'if (!(list.complete || isAround(call, list))) {',
      'if (!(call.isRefused || list.complete || isAround(call, list))) {',
    ],
  ],
  'judge-refusal-by-cut-list': [
    [
      'src/domain/judge.ts',
      'if (lacks || oldestAt === null || youngestAt === null) return false',
      'if ((lacks && !isRefused) || oldestAt === null || youngestAt === null) return false',
    ],
  ],
  'judge-too-early': [
    [
      'src/domain/judge.ts',
      'const lateAt = list.beganAt < call.listedAt ? call.listedAt : null',
      'const lateAt = list.beganAt && call.listedAt && null',
    ],
  ],
  'judged-while-under-way': [
    ['src/domain/advance.ts', 'sendWindowMs(requestTimeoutMs) + requestTimeoutMs + 1_000', 'requestTimeoutMs / 8'],
  ],
  'list-forgets-ours': [
    [
      'src/purchases/read-list.ts',
      'const lacks = !agrees || hidesSome || own.lacks || !countsAll(figures)',
      'const lacks = !agrees || hidesSome || !countsAll(figures)',
    ],
  ],
  'parked-costs-nothing': [
    [
      'src/domain/advance.ts',
      "return { ...finish(at, 'unknown_outcome', reason, ['parked', reason]), charged: 'unknown' }",
      "return { ...finish(at, 'unknown_outcome', reason, ['parked', reason]), charged: 'no' }",
    ],
  ],
  'parks-beside-lost-calls': [
    [
      'src/purchases/evidence.ts',
      '(snapshot.awaitedAt !== null || buyers.wait || (await mayFindOurs(tools.sql, lane, undecidedBy(tools, snapshot))))',
      '(snapshot.awaitedAt !== null || buyers.wait || (mayFindOurs === null && undecidedBy === null))',
    ],
  ],
  'parks-what-is-listed': [
    [
      'src/domain/judge.ts',
      'if (found && (call.wasComplete || !isDatedBefore(found, call))) {',
      'if (found && !found && (call.wasComplete || !isDatedBefore(found, call))) {',
    ],
  ],
  'refusal-costs-nothing': [
    [
      'src/domain/outcome.ts',
      "if (!('isRefusal' in outcome && outcome.isRefusal)) return outcome",
      "if (!('isRefusal' in outcome && outcome.isRefusal && !outcome)) return outcome",
    ],
  ],
  'repeats-spending-calls': [
    [
      'src/registry/create-registry.ts',
      'return !spends && (failure instanceof Unanswered || failure instanceof TooManyRequests)',
      'return (spends || true) && (failure instanceof Unanswered || failure instanceof TooManyRequests)',
    ],
  ],
  'reports-change-again': [
    [
      'test/simulate/store/radars/snapshots.ts',
      'h.document === s.document && h.sweepId < sweepId)',
      'h.document === s.document && h.sweepId < sweepId - 1n)',
    ],
  ],
  'reports-night-again': [
    [
      'src/monitoring/finish-radar-sweep.ts',
      'if (!(await finishSweep(tx, sweep.id, end))) return false',
      'await finishSweep(tx, sweep.id, end)',
    ],
    [
      'src/monitoring/finish-radar-sweep.ts',
      "about, severity: 'info', body }, tx)",
      "about, severity: 'info', body, ...{ key: String(Math.random()) } }, tx)",
    ],
  ],
  'sends-lost-calls-again': [
    [
      'src/domain/advance.ts',
      `return lookup.state === 'sending'
        ? outcomeUnknown`,
      `return lookup.state === 'waiting'
        ? outcomeUnknown`,
    ],
  ],
  'sends-on-old-shares': [
    [
      'src/engine/fleet.ts',
      'bound.isCurrent = () => !isFenced() && !wasSuspendedSince(renewed)',
      'bound.isCurrent = () => isFenced() || !isFenced() || wasSuspendedSince(renewed)',
    ],
  ],
  'sends-too-late': [
    [
      'src/engine/chunk.ts',
      'return () => performance.now() - monotonic > ms || Math.abs(Date.now() - wall) > ms',
      'return () => performance.now() - monotonic > 1e9 || wall + ms < 0',
    ],
  ],
  'sweep-buys-again': [
    ['src/monitoring/radar-sweep.ts', 'freshSince: since ?? sweep.startedAt,', 'freshSince: tools.clock(),'],
  ],
  'takes-what-others-have': [
    [
      'src/engine/fleet.ts',
      'return Math.max(0, Math.min(even, perWorker, overall - taken))',
      'return Math.max(0, Math.min(even, perWorker, overall - taken * 0))',
    ],
  ],
  'tries-held-lanes-always': [
    [
      'src/engine/hold.ts',
      'Math.min(longestMs, firstMs * 2 ** Math.min(trials, 20))',
      'Math.min(longestMs, firstMs * trials * 0)',
    ],
  ],
  'trusts-any-copy': [
    [
      'src/purchases/watch-server.ts',
      '!isSameDatabase(server, known.identity) || server.sequence < known.sequence',
      'server.identity === "" && server.sequence < known.sequence',
    ],
  ],
  'trusts-one-list-after-a-loss': [
    [
      'src/purchases/check-purchases.ts',
      'if (!lossUntil) return listReadAfter',
      'if (!lossUntil || lossUntil <= listReadAfter) return listReadAfter',
    ],
  ],
  'trusts-what-need-not-be-listed': [
    [
      'src/domain/judge.ts',
      'if (isAfter(requiredAt) || (inOrder && isAfter(youngestAt))) return null',
      'if (requiredAt && (!inOrder || isAfter(youngestAt)) && youngestAt && youngestAt >= sentAt) return null',
    ],
  ],
  'units-returned-twice': [
    [
      'src/engine/settle.ts',
      'for (const [day, group] of days) await returnToDay(tx, day, group.length)',
      'for (const [day, group] of days) await returnToDay(tx, day, group.length * 2)',
    ],
  ],
}

/** The money defects that version 0.3.0 fixed, by their number in its issue: each fix is undone. */
export const reverted: Record<string, readonly Change[]> = {
  '1-clock-steps-back': [
    [
      'src/engine/fleet.ts',
      'bound.isCurrent = () => !isFenced() && !wasSuspendedSince(renewed)',
      'bound.isCurrent = () => !isFenced() || wasSuspendedSince(renewed)',
    ],
    [
      'src/engine/fleet.ts',
      'let offset = at.getTime() - (asked + performance.now()) / 2',
      'let offset = at.getTime() - Date.now() + asked * 0',
    ],
    [
      'src/engine/fleet.ts',
      'read: () => new Date(performance.now() + offset),',
      'read: () => new Date(Date.now() + offset),',
    ],
    [
      'src/engine/fleet.ts',
      `if (Math.abs(proven - offset) > stepMs) steps++
      offset = proven`,
      'if (Math.abs(proven - offset) < 0) steps++',
    ],
    [
      'src/engine/chunk.ts',
      'return () => performance.now() - monotonic > ms || Math.abs(Date.now() - wall) > ms',
      'return () => Date.now() - wall > ms || monotonic < 0',
    ],
    [
      'test/simulate/store/lookups/intents.ts',
      'const judgedAt = new Date(database.now().getTime() + judgedAfterMs)',
      'const judgedAt = new Date(now.getTime() + judgedAfterMs)',
    ],
    [
      'test/simulate/store/lookups/intents.ts',
      'if (judgedAt > at) return []',
      'if (judgedAt > now || at < now && false) return []',
    ],
  ],
  '2-clock-steps-forward': [
    [
      'src/engine/fleet.ts',
      'bound.isCurrent = () => !isFenced() && !wasSuspendedSince(renewed)',
      'bound.isCurrent = () => !isFenced() || wasSuspendedSince(renewed)',
    ],
    [
      'src/engine/fleet.ts',
      'let offset = at.getTime() - (asked + performance.now()) / 2',
      'let offset = at.getTime() - Date.now() + asked * 0',
    ],
    [
      'src/engine/fleet.ts',
      'read: () => new Date(performance.now() + offset),',
      'read: () => new Date(Date.now() + offset),',
    ],
    [
      'src/engine/fleet.ts',
      `if (Math.abs(proven - offset) > stepMs) steps++
      offset = proven`,
      'if (Math.abs(proven - offset) < 0) steps++',
    ],
    [
      'src/engine/chunk.ts',
      'return () => performance.now() - monotonic > ms || Math.abs(Date.now() - wall) > ms',
      'return () => Date.now() - wall > ms || monotonic < 0',
    ],
  ],
  '3-refused-is-free': [
    [
      'src/domain/outcome.ts',
      "if (!('isRefusal' in outcome && outcome.isRefusal)) return outcome",
      "if (!('isRefusal' in outcome && outcome.isRefusal && !outcome)) return outcome",
    ],
  ],
  '4-implausible-dates': [
    [
      'src/domain/moment.ts',
      'isDayFirst ? null : parseMoment(withMonthFirst(value))',
      'isDayFirst ? null : parseMoment(withMonthFirst(null))',
    ],
    ['src/domain/moment.ts', 'const earliest = Date.UTC(2000, 0)', 'const earliest = Date.UTC(1900, 0)'],
  ],
  '5-reply-of-another': [
    ['src/registry/read-reply.ts', 'question.fits?.(reply) ?? true', 'question.fits?.(reply) || true'],
    [
      'src/registry/read-reply.ts',
      'if (about === undefined || !envelope) return false',
      'if (about === undefined || !envelope || about) return false',
    ],
  ],
  '6-plan-refuses-answers': [
    [
      'src/engine/chunk.ts',
      "if (how.is !== 'held' || !(how.cause === 'denied' || (how.cause === 'plan' && state === 'waiting'))) return how",
      "if (how.is !== 'held' || !(how.cause === 'denied' || (how.cause === 'plan' && state === 'sending'))) return how",
    ],
  ],
  '7-refusals-in-other-words': [
    [
      'src/domain/outcome.ts',
      "if (!('isRefusal' in outcome && outcome.isRefusal)) return outcome",
      "if (!('isRefusal' in outcome && outcome.isRefusal && !outcome)) return outcome",
    ],
    [
      'src/engine/latches.ts',
      'call.alike.size >= refusedAlike || call.refused.size >= refusedUnlike',
      'call.alike.size >= refusedAlike * 1_000 || call.refused.size >= refusedUnlike * 1_000',
    ],
  ],
  '8-licence-not-yet': [
    [
      'jobs/poll-cnh.ts',
      `if (record || now < deadlineAt) return later({ seen: record?.status ?? null })
    const latest = await registry.cnh.latest(documentOf(lookup), account, call)`,
      `if (record) return later({ seen: record?.status ?? null })
    const latest = null as { status: string } | null
    if (!call || !account || !documentOf || !deadlineAt || !now) return later({ seen: null })`,
    ],
  ],
}
