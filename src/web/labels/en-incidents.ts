/** What is wrong now, what it means, and what to do about it. The causes themselves are among the terms. */
export const enIncidents = {
  incident: {
    label: 'Current incidents',
    titles: {
      lanes_held: 'A lane is held',
      no_worker: 'No worker is running',
      books_awaited: 'The database may have lost purchases: waiting for the registry’s list',
    },
    everyLane: 'All lanes',
    since: 'since',
    nextTry: 'next attempt',
    inSpan: (span: string) => `in ${span}`,
    now: 'now',
    stops: {
      asking: 'Nothing new is bought. Answers already paid for are still fetched.',
      everything: 'Nothing is bought and nothing is fetched.',
    },
    standStill: 'On hold:',
    openRows: (count: string) => `${count} open rows`,
    andMore: (count: string) => `and ${count} more`,
    nobodyWaits: 'No batch is affected now.',
    resume: 'Resume the lane',
    chooseLane: 'Choose the lane to resume',
    whatToDo: 'What to do:',
    todo: {
      nothing: 'nothing. Vigia resumes by itself as soon as the registry answers again.',
      renew_token:
        'set a new token (REGISTRY_TOKEN, REGISTRY_REFRESH_TOKEN) and restart the workers. If the registry accepts the old token again, Vigia resumes by itself at the next attempt.',
      extend_plan:
        'extend the plan at the registry. Vigia then resumes by itself at the next attempt, or at once if you resume the lane.',
      restore_access:
        'ask the registry to restore the organization’s access. Vigia then resumes by itself at the next attempt, or at once if you resume the lane.',
      settle_refusal:
        'resolve with the registry what its message says. Vigia then resumes by itself at the next attempt, or at once if you resume the lane.',
      raise_budget:
        'nothing, if you can wait until tomorrow: Vigia resumes by itself after midnight. To continue today, raise budget.perDay and restart the workers.',
      resume_lane: 'somebody held the lane by hand. It stays held until somebody resumes it.',
      start_worker: 'start a worker: vigia worker.',
    },
  },
}
