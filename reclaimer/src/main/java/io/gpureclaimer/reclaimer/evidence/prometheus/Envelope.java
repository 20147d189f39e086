package io.gpureclaimer.reclaimer.evidence.prometheus;

import io.gpureclaimer.reclaimer.client.Excerpt;
import java.util.List;
import java.util.Optional;

/**
 * What an answer says about itself, around its samples.
 *
 * @param status {@code success} or {@code error}
 * @param error the error's type and text
 * @param resultType {@code vector} or {@code matrix}, if it is what was asked for
 * @param warnings why the answer may be incomplete; the harmless {@code infos} are not among them
 * @param partial whether it says that it is incomplete, as VictoriaMetrics does
 * @param strange an element of the result that is none of what was asked for
 */
record Envelope(
    Optional<String> status,
    Optional<String> error,
    Optional<String> resultType,
    List<String> warnings,
    boolean partial,
    Optional<String> strange) {
  Envelope {
    warnings = List.copyOf(warnings);
  }

  /** Whether the samples may be believed to be all there are of what was asked for. */
  Answer answer(Elements elements) {
    if (!status.equals(Optional.of("success"))) {
      return new Answer.Unusable(
          "status success",
          "status " + status.orElse("absent") + error.map(e -> ": " + e).orElse(""));
    }
    if (!warnings.isEmpty()) {
      return new Answer.Unusable(
          "a complete answer", "warnings: " + Excerpt.of(String.join("; ", warnings)));
    }
    if (partial) {
      return new Answer.Unusable("a complete answer", "isPartial");
    }
    if (!resultType.equals(Optional.of(elements.resultType()))) {
      return new Answer.Unusable(
          "resultType " + elements.resultType(),
          "resultType " + Excerpt.of(resultType.orElse("absent")));
    }
    return strange
        .<Answer>map(
            found -> new Answer.Unusable("a " + elements.resultType() + "'s elements", found))
        .orElseGet(Answer.Complete::new);
  }
}
