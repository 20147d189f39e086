package io.gpureclaimer.nvml.session;

import io.gpureclaimer.nvml.session.Round.Current;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.ObjIntConsumer;

/**
 * The one thread that calls the driver. A call that does not return in time keeps the thread for
 * itself, and a fresh one goes on. Several calls are handed over at once where they can be: waking
 * a thread costs more than most of them. Confined to the thread that runs the passes.
 */
public final class DriverThread implements AutoCloseable {
  private final List<Future<?>> leftBehind = new ArrayList<>();
  private ExecutorService thread = fresh();

  /** What became of a call. */
  public sealed interface Outcome<T> {

    /** It returned in time. */
    record Returned<T>(T value) implements Outcome<T> {}

    /** It did not; it is done when it returns after all. */
    record LeftBehind<T>(Future<T> call) implements Outcome<T> {}
  }

  /** How long to wait for one of several calls, from when it began. */
  public interface Patience {

    /**
     * Asked when the call has begun.
     *
     * @param index which one
     * @param after how long after the first one it began
     */
    Duration with(int index, Duration after);
  }

  /**
   * Makes a call on the driver thread and waits for it.
   *
   * @throws RuntimeException whatever unchecked exception the call threw
   */
  public <T> Outcome<T> ask(Callable<T> call, Duration deadline) {
    List<Outcome<T>> outcome = new ArrayList<>(1);
    askAll(List.of(call), (_, _) -> deadline, (it, _) -> outcome.add(it));
    return outcome.getFirst();
  }

  /**
   * Makes calls on the driver thread, one after the other, and waits for each.
   *
   * @param each takes what became of each, in order, with its index
   * @throws RuntimeException whatever unchecked exception one of them threw; those after it are not
   *     made
   */
  public <T> void askAll(
      List<Callable<T>> calls, Patience patience, ObjIntConsumer<Outcome<T>> each) {
    leftBehind.removeIf(Future::isDone);
    var round = new Round<>(calls);
    long began = round.current().since();
    boolean hangs = true;
    while (hangs && round.hasMore()) {
      hangs =
          hangs(round, call -> patience.with(call.index(), Duration.ofNanos(call.since() - began)));
      round.tell(each);
    }
  }

  /** Has the rest of the calls made; true once one of them has been left behind. */
  private <T> boolean hangs(Round<T> round, Function<Current, Duration> patience) {
    var first = round.current();
    Future<?> rest = thread.submit(() -> round.make(first));
    while (true) {
      var call = round.current();
      long waited = System.nanoTime() - call.since();
      try {
        rest.get(patience.apply(call).toNanos() - waited, TimeUnit.NANOSECONDS);
        return false;
      } catch (TimeoutException _) {
        if (round.leaveBehind(call)) {
          leftBehind.add(round.call(call));
          thread.shutdown();
          thread = fresh();
          return true;
        }
      } catch (InterruptedException e) {
        round.stop();
        Thread.currentThread().interrupt();
        throw (CancellationException) new CancellationException("stopping").initCause(e);
      } catch (ExecutionException e) {
        throw new IllegalStateException("a round of driver calls threw", e);
      }
    }
  }

  /** Makes a call on a thread of its own and does not wait for it. */
  public <T> Future<T> askApart(Callable<T> call) {
    var apart = fresh();
    Future<T> answer = apart.submit(call);
    apart.shutdown();
    leftBehind.add(answer);
    return answer;
  }

  /** Whether a thread that nobody waits for is still inside the driver. */
  public boolean hasLeftSomeoneBehind() {
    leftBehind.removeIf(Future::isDone);
    return !leftBehind.isEmpty();
  }

  @Override
  public void close() {
    thread.shutdown();
  }

  private static ExecutorService fresh() {
    return Executors.newSingleThreadExecutor(
        task -> Thread.ofPlatform().daemon().name("driver").unstarted(task));
  }
}
