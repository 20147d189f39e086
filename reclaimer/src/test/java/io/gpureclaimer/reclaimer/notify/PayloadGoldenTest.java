package io.gpureclaimer.reclaimer.notify;

import io.gpureclaimer.reclaimer.cluster.Notice;
import io.gpureclaimer.reclaimer.show.Golden;
import io.gpureclaimer.reclaimer.verdict.JudgeScenario;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What each kind of receiver gets, message for message. */
class PayloadGoldenTest {
  private static final List<Message> MESSAGES =
      List.of(
          Message.warning(Warnings.toWarn("train-0"), Warnings.NOTICE, JudgeScenario.NOW),
          Message.about(
              Warnings.toWithdraw("train-0"),
              new Notice("GPUIdleWarningWithdrawn", "The warning is withdrawn.", false),
              JudgeScenario.NOW),
          Message.about(
              Warnings.due("train-0"),
              new Notice("GPUReclaimed", "Evicted to give its GPU back.", true),
              JudgeScenario.NOW),
          Message.breaker(true, "only 61% of the GPU pods are observed", JudgeScenario.NOW),
          Message.breaker(false, "97% of the GPU pods are observed", JudgeScenario.NOW));

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
