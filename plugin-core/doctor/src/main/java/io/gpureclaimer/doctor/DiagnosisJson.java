package io.gpureclaimer.doctor;

import io.gpureclaimer.common.json.JsonWriter;
import io.gpureclaimer.doctor.Diagnosis.CheckOutcome;

/** A diagnosis as JSON. */
public final class DiagnosisJson {
  private DiagnosisJson() {}

  public static String of(Diagnosis diagnosis) {
    var json =
        JsonWriter.indented()
            .beginObject()
            .member("problems", diagnosis.count(Outcome.OutcomeKind.PROBLEM))
            .member("warnings", diagnosis.count(Outcome.OutcomeKind.WARNING))
            .name("checks")
            .beginArray();
    diagnosis.checks().forEach(examined -> write(examined, json));
    return json.endArray().endObject() + "\n";
  }

  private static void write(CheckOutcome examined, JsonWriter json) {
    Outcome outcome = examined.outcome();
    json.beginObject()
        .member("check", examined.check())
        .member("outcome", outcome.kind().code())
        .member("found", outcome.text());
    switch (outcome) {
      case Outcome.Problem(var _, var advice) -> json.member("advice", advice);
      case Outcome.Warning(var _, var advice) -> json.member("advice", advice);
      case Outcome.Undecided _, Outcome.Ok _, Outcome.NotApplicable _ -> {}
    }
    json.endObject();
  }
}
