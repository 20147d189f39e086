package io.gpureclaimer.reclaimer.cycle;

import io.gpureclaimer.reclaimer.execution.Checkpoints.HookCaller;
import io.gpureclaimer.reclaimer.execution.Checkpoints.HookReply;
import io.gpureclaimer.reclaimer.execution.Checkpoints.HookRequest;
import io.gpureclaimer.reclaimer.policy.CheckpointUrl;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

/** The checkpoint hooks of all workloads, which answer at once or when a test says so. */
final class FakeHooks implements HookCaller {
  private final Clock clock;
  private final List<HookRequest> requests = new ArrayList<>();
  private final List<CompletableFuture<HookReply>> unanswered = new ArrayList<>();
  private Optional<String> problem = Optional.empty();
  private boolean silent;
  private Runnable checkpoint = () -> {};

  FakeHooks(Clock clock) {
    this.clock = clock;
  }

  /** Every call so far. */
  List<HookRequest> requests() {
    return List.copyOf(requests);
  }

  void refuse(String why) {
    problem = Optional.of(why);
  }

  void keepSilent() {
    silent = true;
  }

  /** Confirms what was not answered yet, and from now on at once. */
  void answer() {
    silent = false;
    unanswered.forEach(this::complete);
    unanswered.clear();
  }

  /** What a workload does for a checkpoint, before its hook answers. */
  void onCheckpoint(Runnable work) {
    checkpoint = work;
  }

  List<CompletableFuture<HookReply>> unanswered() {
    return unanswered;
  }

  @Override
  public Future<HookReply> call(CheckpointUrl url, HookRequest request) {
    requests.add(request);
    var answer = new CompletableFuture<HookReply>();
    if (silent) {
      unanswered.add(answer);
    } else {
      checkpoint.run();
      complete(answer);
    }
    return answer;
  }

  private void complete(CompletableFuture<HookReply> answer) {
    answer.complete(new HookReply(clock.instant(), problem));
  }
}
