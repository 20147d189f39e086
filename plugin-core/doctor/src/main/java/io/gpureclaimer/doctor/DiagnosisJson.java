package io.gpureclaimer.doctor;

import io.gpureclaimer.common.json.JsonWriter;
import io.gpureclaimer.doctor.Diagnosis.Examined;

/** A diagnosis as JSON. */
public final class DiagnosisJson {
  private DiagnosisJson() {}

  public static String of(Diagnosis diagnosis) {
    var json =
        JsonWriter.indented()
            .beginObject()
            .member("problems", diagnosis.count(Outcome.Kind.PROBLEM))
            .member("warnings", diagnosis.count(Outcome.Kind.WARNING))
            .name("checks")
            .beginArray();
    diagnosis.checks().forEach(examined -> write(examined, json));
    return json.endArray().endObject() + "\n";
  }

  private static void write(Examined examined, JsonWriter json) {
    Outcome outcome = examined.outcome();
    json.beginObject()
        .member("check", examined.check())
        .member("outcome", outcome.kind().name())
        .member("found", outcome.text());
    switch (outcome) {
      case Outcome.Problem(var _, var advice) -> json.member("advice", advice);
      case Outcome.Warning(var _, var advice) -> json.member("advice", advice);
      case Outcome.CannotTell _, Outcome.Ok _, Outcome.NotApplicable _ -> {}
    }
    json.endObject();
  }
}
