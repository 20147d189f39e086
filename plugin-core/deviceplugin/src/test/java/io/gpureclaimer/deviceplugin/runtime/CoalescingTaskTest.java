package io.gpureclaimer.deviceplugin.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class CoalescingTaskTest {
  private final ArrayDeque<Runnable> thread = new ArrayDeque<>();
  private final List<Integer> runs = new ArrayList<>();

  @Test
  void mergesWhatIsSubmittedBeforeItRuns() {
    var task = new CoalescingTask<Integer>(thread::add, Integer::sum, runs::add);
    task.submit(1);
    task.submit(2);
    assertThat(thread).hasSize(1);
    thread.remove().run();
    task.submit(4);
    thread.remove().run();

    assertThat(runs).containsExactly(3, 4);
  }

  @Test
  void runsAgain_withWhatIsSubmittedDuringARun() {
    var itself = new AtomicReference<CoalescingTask<Integer>>();
    var task =
        CoalescingTask.<Integer>newest(
            thread::add,
            value -> {
              runs.add(value);
              if (value == 1) {
                itself.get().submit(2);
              }
            });
    itself.set(task);
    task.submit(1);
    thread.remove().run();
    thread.remove().run();

    assertThat(runs).containsExactly(1, 2);
    assertThat(thread).isEmpty();
  }

  @Test
  void runsAgain_afterAFailure() {
    var task =
        CoalescingTask.<Integer>newest(
            thread::add,
            value -> {
              runs.add(value);
              if (value == 1) {
                throw new IllegalStateException("first");
              }
            });
    task.submit(1);
    assertThatIllegalStateException().isThrownBy(thread.remove()::run);
    task.submit(2);
    thread.remove().run();

    assertThat(runs).containsExactly(1, 2);
  }

  @Test
  void doesNothing_whenTheThreadHasStopped() {
    CoalescingTask.<Integer>newest(
            _ -> {
              throw new RejectedExecutionException();
            },
            runs::add)
        .submit(1);

    assertThat(runs).isEmpty();
  }
}
