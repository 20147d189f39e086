package io.gpureclaimer.reclaimer.audit.record;

import io.gpureclaimer.reclaimer.evidence.EvidenceLimits;
import io.gpureclaimer.reclaimer.evidence.Signal;
import io.gpureclaimer.reclaimer.json.JsonObject;
import io.gpureclaimer.reclaimer.json.JsonReading;
import io.gpureclaimer.reclaimer.json.MalformedJson;
import io.gpureclaimer.reclaimer.policy.ClassLimits;
import io.gpureclaimer.reclaimer.policy.Heartbeat;
import io.gpureclaimer.reclaimer.policy.Heeded;
import io.gpureclaimer.reclaimer.policy.Mode;
import io.gpureclaimer.reclaimer.policy.PolicyDefaults;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The configured rules as JSON, and back. */
final class TermsJson {
  private TermsJson() {}

  static JsonObject write(Terms terms) {
    return new JsonObject()
        .put("defaults", defaults(terms.defaults()))
        .put("limits", limits(terms.limits()));
  }

  static Terms read(JsonReading object) {
    return new Terms(defaults(object.object("defaults")), limits(object.object("limits")));
  }

  private static JsonObject defaults(PolicyDefaults defaults) {
    return new JsonObject()
        .put("mode", defaults.mode().text())
        .put("idleAfter", defaults.idleAfter())
        .put("minIdleAfter", defaults.minIdleAfter())
        .put("maxIdleAfter", defaults.maxIdleAfter())
        .put("warnBefore", defaults.warnBefore())
        .put("minWarnBefore", defaults.minWarnBefore())
        .put("maxWarnBefore", defaults.maxWarnBefore())
        .put("classes", classes(defaults.classes()))
        .put("startupGrace", defaults.startupGrace())
        .put("maxKeep", defaults.maxKeep())
        .list("vetoes", sorted(defaults.heeded().signals()), Signal.Kind::code)
        .list("heartbeats", sorted(defaults.heeded().heartbeats()), Heartbeat::code)
        .put("receivers", defaults.receivers().map(names -> names.stream().sorted().toList()));
  }

  private static PolicyDefaults defaults(JsonReading object) {
    return new PolicyDefaults(
        mode(object.text("mode")),
        object.duration("idleAfter"),
        object.duration("minIdleAfter"),
        object.duration("maxIdleAfter"),
        object.duration("warnBefore"),
        object.duration("minWarnBefore"),
        object.duration("maxWarnBefore"),
        classes(object.object("classes")),
        object.duration("startupGrace"),
        object.duration("maxKeep"),
        heeded(object),
        object.optional("receivers", object::texts).map(Set::copyOf));
  }

  /** Records did not name heartbeats when every one counted. */
  private static Heeded heeded(JsonReading object) {
    Set<Heartbeat> every = EnumSet.allOf(Heartbeat.class);
    return new Heeded(
        object.texts("vetoes").stream()
            .flatMap(code -> ObservationJson.kindIfKnown(code).stream())
            .collect(Collectors.toSet()),
        object
            .optional("heartbeats", object::texts)
            .map(
                codes ->
                    every.stream()
                        .filter(heartbeat -> codes.contains(heartbeat.code()))
                        .collect(Collectors.toSet()))
            .orElse(every));
  }

  private static <T extends Comparable<T>> List<T> sorted(Set<T> some) {
    return some.stream().sorted().toList();
  }

  private static JsonObject classes(ClassLimits classes) {
    return new JsonObject()
        .put("interactive", classes.interactive())
        .put("serving", classes.serving())
        .put("batch", classes.batch())
        .put("elastic", classes.elastic());
  }

  private static ClassLimits classes(JsonReading object) {
    return new ClassLimits(
        object.duration("interactive"),
        object.duration("serving"),
        object.duration("batch"),
        object.duration("elastic"));
  }

  private static JsonObject limits(EvidenceLimits limits) {
    return new JsonObject()
        .put("maxAge", limits.maxAge())
        .put("maxAgeToAct", limits.maxAgeToAct())
        .put("maxSkew", limits.maxSkew());
  }

  private static EvidenceLimits limits(JsonReading object) {
    return new EvidenceLimits(
        object.duration("maxAge"), object.duration("maxAgeToAct"), object.duration("maxSkew"));
  }

  private static Mode mode(String text) {
    return Mode.of(text).orElseThrow(() -> new MalformedJson("mode", "a mode", text));
  }
}
