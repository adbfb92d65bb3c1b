"""Standing questions: named queries whose answers are kept fresh and delivered to webhooks."""
