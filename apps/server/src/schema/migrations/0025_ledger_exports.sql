-- The profiles in which finance exports the ledger. The first is the format of release 0.2, so that existing imports continue to work.
insert into firm_data (kind, version, value) values ('ledger_exports', 1, $json$[
  {
    "name": "Movements",
    "rows": "movements",
    "date_format": "YYYY-MM-DD",
    "columns": [
      {"heading": "date", "field": "date", "text": null},
      {"heading": "type", "field": "kind", "text": null},
      {"heading": "reference", "field": "reference", "text": null},
      {"heading": "case_reference", "field": "case_reference", "text": null},
      {"heading": "matter_reference", "field": "matter_reference", "text": null},
      {"heading": "client", "field": "client", "text": null},
      {"heading": "payment", "field": "payment", "text": null},
      {"heading": "receipt_number", "field": "receipt_number", "text": null},
      {"heading": "description", "field": "description", "text": null},
      {"heading": "money", "field": "money", "text": null},
      {"heading": "gross", "field": "amount", "text": null},
      {"heading": "fee", "field": "fee", "text": null},
      {"heading": "net", "field": "amount_after_fee", "text": null},
      {"heading": "available_on", "field": "available_on", "text": null},
      {"heading": "payout", "field": "payout", "text": null},
      {"heading": "payout_arrives_on", "field": "payout_arrives_on", "text": null},
      {"heading": "provider", "field": "provider", "text": null},
      {"heading": "account", "field": "account", "text": null},
      {"heading": "method", "field": "method", "text": null},
      {"heading": "payout_matched_on", "field": "payout_matched_on", "text": null}
    ],
    "codes": {
      "posting_types": {"charge": null, "refund": null, "refund_failure": null, "dispute": null, "dispute_reversal": null, "fee": null, "payout": null, "payout_failure": null, "allocation": null, "other": null},
      "bank": {"client": null, "business": null},
      "nominal": {"client": null, "office": null},
      "vat": {"standard": null, "zero": null, "exempt": null, "outside_scope": null}
    }
  },
  {
    "name": "General cashier",
    "rows": "lines",
    "date_format": "DD/MM/YYYY",
    "columns": [
      {"heading": "Date", "field": "date", "text": null},
      {"heading": "Posting type", "field": "posting_type", "text": null},
      {"heading": "Bank", "field": "bank_code", "text": null},
      {"heading": "Nominal", "field": "nominal_code", "text": null},
      {"heading": "Client number", "field": "client_number", "text": null},
      {"heading": "Matter", "field": "matter_reference", "text": null},
      {"heading": "Payer", "field": "payer", "text": null},
      {"heading": "Bill", "field": "bill", "text": null},
      {"heading": "Net", "field": "net", "text": null},
      {"heading": "VAT", "field": "vat", "text": null},
      {"heading": "VAT code", "field": "vat_code", "text": null},
      {"heading": "Gross", "field": "amount", "text": null},
      {"heading": "Fee earner", "field": "fee_earner", "text": null},
      {"heading": "Narrative", "field": "narrative", "text": null},
      {"heading": "Reference", "field": "reference", "text": null}
    ],
    "codes": {
      "posting_types": {"charge": "Receipt", "refund": "Refund", "refund_failure": "Refund returned", "dispute": "Chargeback", "dispute_reversal": "Chargeback returned", "fee": "Fee", "payout": "Payout", "payout_failure": "Payout returned", "allocation": "Allocation", "other": "Other"},
      "bank": {"client": "Client bank", "business": "Business bank"},
      "nominal": {"client": "Client", "office": "Office"},
      "vat": {"standard": "Standard", "zero": "Zero", "exempt": "Exempt", "outside_scope": "Outside scope"}
    }
  }
]$json$);
