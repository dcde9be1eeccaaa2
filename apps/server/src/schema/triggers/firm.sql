create trigger installation_firm_version before update on installation
  for each row when (old.firm is distinct from new.firm) execute function count_firm_version();

create trigger installation_shown_firm before insert or update on installation
  for each row execute function derive_shown_firm();

create trigger firm_data_append_only before update or delete or truncate on firm_data
  for each statement execute function refuse_change();

create trigger firm_data_shown_firm after insert on firm_data
  for each row when (new.kind in ('bank_holidays', 'payment_rules')) execute function derive_shown_firm_again();
