-- The consent of a person to an SCR look-up, for documents that portfolios ask about again and again.

alter table portfolio_document add column consent text not null default '';
comment on column portfolio_document.consent is 'The cell of the column autorizacao: reference or date of the consent.';
