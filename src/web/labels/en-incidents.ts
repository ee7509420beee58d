/** What is wrong now, what it means, and what to do about it. The causes themselves are among the terms. */
export const enIncidents = {
  incident: {
    label: 'What is wrong now',
    titles: {
      lanes_held: 'A lane is held',
      no_worker: 'No worker runs',
      books_awaited: 'The database may have forgotten purchases: the registry’s list is read anew first',
    },
    everyLane: 'Every question to the registry',
    since: 'since',
    nextTry: 'next try',
    inSpan: (span: string) => `in ${span}`,
    now: 'now',
    stops: {
      asking: 'Nothing new is bought; what was paid for is still fetched.',
      everything: 'Nothing is asked and nothing is fetched.',
    },
    standStill: 'Standing still:',
    openRows: (count: string) => `${count} rows open`,
    andMore: (count: string) => `and ${count} more`,
    nobodyWaits: 'No batch waits for it now.',
    resume: 'Resume the lane',
    chooseLane: 'Choose the lane to resume',
    whatToDo: 'What to do:',
    todo: {
      nothing: 'nothing. It goes on alone as soon as the registry answers again.',
      renew_token:
        'give the workers a new token (REGISTRY_TOKEN, REGISTRY_REFRESH_TOKEN) and start them again. If the registry accepts the old one again, everything goes on alone at the next try.',
      extend_plan:
        'extend the plan at the registry. It then goes on alone at the next try, or at once when you resume the lane.',
      restore_access:
        'have the registry give the organization access again. It then goes on alone at the next try, or at once when you resume the lane.',
      settle_refusal:
        'settle with the registry what it says. The lane then resumes alone at the next try, or at once when you resume it.',
      raise_budget:
        'nothing, if tomorrow is soon enough: it goes on alone after midnight. To go on today, raise budget.perDay and start the workers again.',
      resume_lane: 'somebody held it on purpose. It stays held until it is resumed.',
      start_worker: 'start one: vigia worker.',
    },
  },
}
