-- An analysis may be finished before the searches for protests and in the registers of debtors are.

alter table answer add column debtor_status text;
comment on column answer.debtor_status is 'Whether the registers of debtors were searched, as the list of purchases last showed it. Null: it did not.';

-- Protests are the 6th class, debtors the 9th. Null: the registry did not say, and the class counts as searched.
create function is_searched(status text) returns boolean
  language sql immutable parallel safe
return coalesce(status, 'DONE') = 'DONE';

-- Figures as they may be compared with others: what was not searched has none, so that it is never cleared or better.
create function searched_counts(answer) returns integer[]
  language sql immutable parallel safe
return case when $1.counts is null or (vigia.is_searched($1.protest_status) and vigia.is_searched($1.debtor_status))
            then $1.counts
            else array(select case when place = 6 and not vigia.is_searched($1.protest_status) then null
                                   when place = 9 and not vigia.is_searched($1.debtor_status) then null else figure end
                         from unnest($1.counts) with ordinality as f (figure, place) order by place) end;

create function searched_cents(answer) returns bigint[]
  language sql immutable parallel safe
return case when $1.cents is null or (vigia.is_searched($1.protest_status) and vigia.is_searched($1.debtor_status))
            then $1.cents
            else array(select case when place = 6 and not vigia.is_searched($1.protest_status) then null
                                   when place = 9 and not vigia.is_searched($1.debtor_status) then null else figure end
                         from unnest($1.cents) with ordinality as f (figure, place) order by place) end;
