-- A firm says that it has no VAT number, no terms of its own or no badge of its regulator, so that they are not missing.
update firm_data set value = value || '{"has_none_of": []}'::jsonb where kind = 'regulation';
