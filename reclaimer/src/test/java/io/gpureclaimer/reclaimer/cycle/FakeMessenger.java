package io.gpureclaimer.reclaimer.cycle;

import io.gpureclaimer.reclaimer.cluster.Notice;
import io.gpureclaimer.reclaimer.execution.Messenger;
import io.gpureclaimer.reclaimer.verdict.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Receiver outside the cluster that accepts or refuses messages. */
final class FakeMessenger implements Messenger {
  private final List<String> taken = new ArrayList<>();
  private Optional<String> refusal = Optional.empty();

  void refuse(String why) {
    refusal = Optional.of(why);
  }

  void takeAgain() {
    refusal = Optional.empty();
  }

  /** The reason and the workload of every message, since the last time this was asked. */
  List<String> take() {
    List<String> all = List.copyOf(taken);
    taken.clear();
    return all;
  }

  @Override
  public Optional<String> warn(Verdict.ToWarn verdict, Notice notice) {
    if (refusal.isEmpty()) {
      send(verdict, notice);
    }
    return refusal;
  }

  @Override
  public void send(Verdict verdict, Notice notice) {
    taken.add(notice.reason() + " " + verdict.workload().name());
  }
}
