-- Free figures that moved make a radar sweep buy a new analysis.

alter table snapshot add column total_risk integer, add column total_analyzed integer, add column moved text;
comment on column snapshot.total_risk is 'latestTotalRisk of the list of analyses that night; total_analyzed is its latestTotalAnalyzed. Null: not listed.';
comment on column snapshot.moved is 'The free figure that moved since the last analysis, for which a new one is bought; none if none did. Null: not compared.';

alter table sweep_organization add column totals text not null default 'pending';
alter table sweep_organization add constraint totals_known check (totals in ('pending', 'read', 'failed'));
comment on column sweep_organization.totals is 'Whether the free totals of the list of analyses are in the snapshots.';
