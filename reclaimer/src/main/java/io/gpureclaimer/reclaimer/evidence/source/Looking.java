package io.gpureclaimer.reclaimer.evidence.source;

import io.gpureclaimer.reclaimer.evidence.Observation.PastObservation;
import io.gpureclaimer.reclaimer.evidence.PodName;
import io.gpureclaimer.reclaimer.evidence.SignalLimits;
import io.gpureclaimer.reclaimer.evidence.prometheus.Slice;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Makes looks of what was told of the past, and remembers from one to the next what a source
 * remembers. Confined to one thread.
 */
final class Looking {
  private final Form form;
  private final SignalLimits signals;
  private final Consumer<PastObservation> into;
  private final Clocks clocks = new Clocks();

  /**
   * @param into takes the looks, in their order
   */
  Looking(Form form, SignalLimits signals, Consumer<PastObservation> into) {
    this.form = form;
    this.signals = signals;
    this.into = into;
  }

  /** Makes the looks of one slice. */
  void at(Slice slice, Map<Part, SliceSamples> samples) {
    for (long index = 0; index < slice.looks(); index++) {
      at(slice.look(index), samples);
    }
  }

  private void at(Instant at, Map<Part, SliceSamples> samples) {
    var look = new FormLook(form, new HealthSamples(), signals);
    Map<String, PodName> names = new HashMap<>();
    Sorting signalsOfLook = look.signals();
    samples.forEach(
        (part, answer) ->
            answer.at(
                at.toEpochMilli(),
                sample -> {
                  if (part == Part.EVIDENCE) {
                    look.evidence().accept(sample);
                    name(sample.labels(), names);
                  } else {
                    signalsOfLook.accept(sample);
                  }
                }));
    into.accept(
        new PastObservation(
            look.seen(clocks::advance, false, Clock.fixed(at, ZoneOffset.UTC)), Map.copyOf(names)));
  }

  private void name(Map<String, String> labels, Map<String, PodName> names) {
    PastQueries.uid(form, labels)
        .ifPresent(uid -> PastQueries.name(form, labels).ifPresent(name -> names.put(uid, name)));
  }
}
