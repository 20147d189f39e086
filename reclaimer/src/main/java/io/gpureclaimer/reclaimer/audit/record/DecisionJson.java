package io.gpureclaimer.reclaimer.audit.record;

import io.gpureclaimer.reclaimer.audit.record.Decision.Account;
import io.gpureclaimer.reclaimer.audit.record.Decision.Opinion;
import io.gpureclaimer.reclaimer.audit.record.Decision.SecondThought;
import io.gpureclaimer.reclaimer.json.JsonObject;
import io.gpureclaimer.reclaimer.json.JsonReading;
import io.gpureclaimer.reclaimer.json.JsonText;
import io.gpureclaimer.reclaimer.json.MalformedJson;
import io.gpureclaimer.reclaimer.policy.Subject;
import java.time.DateTimeException;

/** A decision as one line of JSON, and back. */
public final class DecisionJson {

  /** Raised when a reader of the last schema would misunderstand the new one. */
  static final int SCHEMA = 1;

  private static final String MARK = "schema";

  private DecisionJson() {}

  /** One line, without a line feed. */
  public static String write(Decision decision) {
    return JsonText.line(
        new JsonObject()
            .put(MARK, SCHEMA)
            .put("at", decision.inputs().now())
            .put("workload", subject(decision.workload()))
            .put("verdict", opinion(decision.verdict()))
            .put("step", decision.step().map(DecisionJson::account))
            .put("deed", decision.deed().map(DecisionJson::account))
            .put("action", decision.action())
            .put("inputs", inputs(decision.inputs()))
            .put("again", decision.again().map(DecisionJson::again)));
  }

  /**
   * Reads a line back.
   *
   * @throws MalformedJson if it is no decision of this schema
   */
  public static Decision read(String line) {
    JsonReading object = JsonReading.of(line);
    if (object.integer(MARK) != SCHEMA) {
      throw new MalformedJson(MARK, String.valueOf(SCHEMA), object.integer(MARK) + "");
    }
    try {
      return decision(object);
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new MalformedJson("inputs", "what makes sense", String.valueOf(e.getMessage()));
    }
  }

  private static Decision decision(JsonReading object) {
    return new Decision(
        subject(object.object("workload")),
        opinion(object.object("verdict")),
        object.optional("step", object::object).map(DecisionJson::account),
        object.optional("deed", object::object).map(DecisionJson::account),
        object.optional("action", object::text),
        inputs(object.object("inputs")),
        object.optional("again", object::object).map(DecisionJson::again));
  }

  private static JsonObject again(SecondThought thought) {
    return new JsonObject()
        .put("verdict", opinion(thought.verdict()))
        .put("inputs", inputs(thought.inputs()));
  }

  private static SecondThought again(JsonReading object) {
    return new SecondThought(opinion(object.object("verdict")), inputs(object.object("inputs")));
  }

  private static JsonObject subject(Subject subject) {
    return new JsonObject()
        .put("namespace", subject.namespace())
        .put("kind", subject.kind())
        .put("name", subject.name())
        .put("uid", subject.uid())
        .put("gpus", subject.gpus());
  }

  private static Subject subject(JsonReading object) {
    return new Subject(
        object.text("namespace"),
        object.text("kind"),
        object.text("name"),
        object.text("uid"),
        object.integer("gpus"));
  }

  private static JsonObject opinion(Opinion opinion) {
    return new JsonObject()
        .put("code", opinion.code())
        .put("reason", opinion.reason())
        .put("sentence", opinion.sentence());
  }

  private static Opinion opinion(JsonReading object) {
    return new Opinion(object.text("code"), object.text("reason"), object.text("sentence"));
  }

  private static JsonObject account(Account account) {
    return new JsonObject().put("name", account.name()).put("sentence", account.sentence());
  }

  private static Account account(JsonReading object) {
    return new Account(object.text("name"), object.text("sentence"));
  }

  private static JsonObject inputs(Inputs inputs) {
    return new JsonObject()
        .put("now", inputs.now())
        .put("terms", TermsJson.write(inputs.terms()))
        .put("observation", ObservationJson.write(inputs.observation()))
        .put("cluster", ClusterJson.write(inputs.cluster()));
  }

  private static Inputs inputs(JsonReading object) {
    return new Inputs(
        object.instant("now"),
        TermsJson.read(object.object("terms")),
        ObservationJson.read(object.object("observation")),
        ClusterJson.read(object.object("cluster")));
  }
}
