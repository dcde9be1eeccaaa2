-- The firm's VAT number, the time from which it orders on the next working day, and further days on which it is closed.

update installation
set firm = '{"vat_number": null, "order_cutoff": "15:00", "closed_on": []}'::jsonb || firm
where firm is not null;
