package io.gpureclaimer.reclaimer.notify;

import io.gpureclaimer.reclaimer.cluster.Notice;
import io.gpureclaimer.reclaimer.show.Golden;
import io.gpureclaimer.reclaimer.verdict.Scene;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What each kind of receiver gets, message for message. */
class PayloadGoldenTest {
  private static final List<Message> MESSAGES =
      List.of(
          Message.warning(Warnings.toWarn("train-0"), Warnings.NOTICE, Scene.NOW),
          Message.about(
              Warnings.toWithdraw("train-0"),
              new Notice("GPUIdleWarningWithdrawn", "The warning is taken back.", false),
              Scene.NOW),
          Message.about(
              Warnings.due("train-0"),
              new Notice("GPUReclaimed", "Evicted to give its GPU back.", true),
              Scene.NOW),
          Message.breaker(true, "only 61% of the GPU pods are observed", Scene.NOW),
          Message.breaker(false, "97% of the GPU pods are observed", Scene.NOW));

  @ParameterizedTest
  @EnumSource
  void everyMessage(Receiver.PayloadFormat kind) {
    Golden.assertThatTextIs(
        "notify-" + kind.name().toLowerCase(Locale.ROOT) + ".jsonl",
        MESSAGES.stream()
            .map(message -> Payload.of(kind, message) + "\n")
            .collect(Collectors.joining()));
  }
}
