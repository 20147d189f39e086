package io.gpureclaimer.nvml.poll;

import io.gpureclaimer.common.device.GpuUuid;
import io.gpureclaimer.common.time.MonotonicClock;
import io.gpureclaimer.nvml.DriverEvent;
import io.gpureclaimer.nvml.EventWatch;
import io.gpureclaimer.nvml.Nvml;
import io.gpureclaimer.nvml.NvmlResult.Value;
import io.gpureclaimer.nvml.poll.GpuPoll.GpuReader;
import io.gpureclaimer.nvml.poll.GpuProbe.GpuProbeResult;
import io.gpureclaimer.nvml.poll.NodeInventory.CudaVersion;
import io.gpureclaimer.nvml.session.DriverSession;
import io.gpureclaimer.nvml.session.DriverSession.Open;
import io.gpureclaimer.nvml.session.DriverSession.SessionResult.Closed;
import io.gpureclaimer.nvml.session.DriverSession.SessionResult.Seen;
import io.gpureclaimer.nvml.session.DriverThread;
import io.gpureclaimer.nvml.session.DriverThread.CallOutcome.Returned;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Polls every GPU of the node: the only part of the program that enumerates them. Each poll makes
 * one {@link NodeInventory}, which metrics, allocation, labels and diagnosis share, and hands the
 * GPUs to a {@link GpuReader}. A GPU whose call does not return in time costs the others nothing:
 * it is left alone until the call returns, and each poll ends by its own deadline. For any thread;
 * polls follow one another.
 */
public final class GpuPoller implements AutoCloseable {
  private static final int TIMES_AS_PATIENT_WHILE_COLD = 4;

  private final DriverSession driver;
  private final DriverThread thread;
  private final KernelFiles files;
  private final Deadlines deadlines;
  private final Duration refreshAfter;
  private final boolean readsTopology;
  private final MonotonicClock monotonic;
  private final InstantSource clock;

  /** Callers poll from threads of their own, and the state of the GPUs is one. */
  private final ReentrantLock polling = new ReentrantLock();

  private final List<Consumer<InventoryUpdate>> subscribers = new CopyOnWriteArrayList<>();
  private final Set<GpuUuid> repartitioned = ConcurrentHashMap.newKeySet();
  private volatile @Nullable EventWatch events;
  private volatile Runnable whenDue = () -> {};
  private final AtomicBoolean isRequested = new AtomicBoolean();

  private final Map<Integer, GpuPollState> states = new HashMap<>();
  private final TopologyProbe topology;
  private final InventoryBuilder builder;
  private @Nullable Nvml session;
  private Versions versions = Versions.UNKNOWN;
  private int devices;
  private boolean isCold = true;
  private @Nullable Long refreshed;
  private @Nullable Long polled;
  private boolean isUnsettled = true;
  private NodeInventory published = NodeInventory.EMPTY;

  /**
   * How long the poller waits.
   *
   * @param gpu for one GPU in one poll; what takes longer goes on by itself
   * @param poll for all GPUs together in one poll
   * @param identifyAfter between two attempts to identify a GPU that the driver refuses
   * @param tooLate age at which late answers are of no use
   * @param hung until a GPU whose call does not return counts as broken
   */
  public record Deadlines(
      Duration gpu, Duration poll, Duration identifyAfter, Duration tooLate, Duration hung) {}

  /**
   * @param refreshAfter time after which identity, facts and MIG layout are read again, if no event
   *     reports a change
   * @param readsTopology whether the links between GPUs are wanted
   * @param order GPUs by index as an earlier run of this program knew them; counts as long as the
   *     driver has as many
   * @param monotonic measures how long calls take
   */
  public GpuPoller(
      DriverSession driver,
      DriverThread thread,
      KernelFiles files,
      Deadlines deadlines,
      Duration refreshAfter,
      boolean readsTopology,
      List<Optional<GpuUuid>> order,
      MonotonicClock monotonic,
      InstantSource clock) {
    this.driver = driver;
    this.thread = thread;
    this.files = files;
    this.deadlines = deadlines;
    this.refreshAfter = refreshAfter;
    this.readsTopology = readsTopology;
    this.topology = new TopologyProbe(thread);
    this.builder = new InventoryBuilder(order);
    this.monotonic = monotonic;
    this.clock = clock;
  }

  /**
   * Subscribes to the events of all GPUs from the next poll on.
   *
   * @param pause before a GPU that refuses is tried again for the first time
   */
  public void watchEvents(List<EventWatch.Listener> listeners, Duration pause) {
    var all = new ArrayList<EventWatch.Listener>(listeners);
    all.add(new MigListener());
    events = new EventWatch(all, pause);
  }

  /** Runs this, on any thread, when an event makes a poll due at once. */
  public void onDue(Runnable task) {
    whenDue = task;
  }

  /** Subscribes to the inventory; called on the thread that polls, which must not be kept. */
  public void subscribe(Consumer<InventoryUpdate> subscriber) {
    subscribers.add(subscriber);
  }

  /** Has the MIG layout of a GPU listed in the next poll, which is due now. */
  public void repartitioned(GpuUuid gpu) {
    repartitioned.add(gpu);
    isRequested.set(true);
    whenDue.run();
  }

  /** Polls the inventory alone, if no poll for readings has done so lately. */
  public void pollIfDue() {
    polling.lock();
    try {
      if (isDue()) {
        poll();
      }
    } finally {
      polling.unlock();
    }
  }

  private boolean isDue() {
    Long last = polled;
    Long full = refreshed;
    long now = monotonic.nanos();
    return isRequested.get()
        || last == null
        || full == null
        || now - full >= refreshAfter.toNanos()
        || (isUnsettled && now - last >= deadlines.gpu().toNanos());
  }

  /** Polls the inventory alone. */
  public GpuPoll<Void> poll() {
    return poll(null);
  }

  /**
   * Polls all GPUs.
   *
   * @param reader takes readings from each; the same object from poll to poll gets late answers
   */
  public <R> GpuPoll<R> poll(@Nullable GpuReader<R> reader) {
    polling.lock();
    try {
      return switch (driver.visit(session -> poll(session, reader))) {
        case Seen<GpuPoll.Polled<R>>(_, var poll) -> poll;
        case Closed<GpuPoll.Polled<R>>(var reason, var code) -> {
          polled = monotonic.nanos();
          isUnsettled = true;
          builder.forgetUsable();
          published = NodeInventory.EMPTY;
          publish(new InventoryUpdate.DriverDown(reason));
          yield new GpuPoll.DriverDown<>(reason, code);
        }
      };
    } finally {
      polling.unlock();
    }
  }

  @Override
  public void close() {
    EventWatch watch = events;
    if (watch != null) {
      watch.close();
    }
  }

  private <R> GpuPoll.Polled<R> poll(Open open, @Nullable GpuReader<R> reader) {
    long began = monotonic.nanos();
    EventWatch watch = events;
    if (watch != null) {
      watch.attend(open.nvml(), open.devices());
    }
    Long last = refreshed;
    boolean isNew = forgetIfChanged(open);
    boolean refresh =
        isRequested.getAndSet(false)
            || isNew
            || last == null
            || began - last >= refreshAfter.toNanos();
    var round = new PollRound<>(reader, refresh, began, open.devices());
    round.pollTogether();
    round.pollSingly();
    isCold = false;
    var built = builder.build(round.answers());
    if (refresh) {
      refreshed = began;
    }
    var inventory =
        new NodeInventory(
            open.version(), versions.cuda(), built.gpus(), topology(open, built.gpus(), refresh));
    isUnsettled = built.isUnsettled();
    polled = monotonic.nanos();
    boolean isFirst = published.equals(NodeInventory.EMPTY);
    boolean isNews = !built.counters().isEmpty() || !inventory.equals(published);
    // A GPU that may only be slow to begin must not be missing from the first inventory.
    if (isNews && !(isFirst && isUnsettled)) {
      published = inventory;
      publish(new InventoryUpdate.Polled(inventory, builder.order(), built.counters()));
    }
    return new GpuPoll.Polled<>(
        inventory,
        versions.library(),
        built.results(),
        Duration.ofNanos(monotonic.nanos() - began));
  }

  private Topology topology(Open open, List<GpuStatus> gpus, boolean refresh) {
    if (!readsTopology || !refresh) {
      return published.topology();
    }
    var responding =
        gpus.stream()
            .filter(GpuStatus.Responding.class::isInstance)
            .map(gpu -> Objects.requireNonNull(states.get(gpu.index())))
            .toList();
    return topology.of(open.version(), responding, deadlines.gpu());
  }

  private void publish(InventoryUpdate update) {
    subscribers.forEach(one -> one.accept(update));
  }

  /** Handles die with their session, and indexes shift when a GPU comes or goes. */
  private boolean forgetIfChanged(Open open) {
    boolean isOther = session != open.nvml();
    if (!isOther && devices == open.devices()) {
      return false;
    }
    boolean isRenumbered = devices != open.devices();
    session = open.nvml();
    devices = open.devices();
    builder.forgetUsable();
    states.values().removeIf(state -> !state.isStuck());
    states.forEach((index, state) -> state.reset(probe(open.nvml(), index), isRenumbered));
    for (int index = 0; index < devices; index++) {
      states.computeIfAbsent(index, it -> state(open.nvml(), it));
    }
    if (isOther) {
      versions =
          thread.call(() -> Versions.of(open.nvml()), deadlines.gpu())
                  instanceof Returned<Versions>(var read)
              ? read
              : Versions.UNKNOWN;
    }
    return true;
  }

  private GpuPollState state(Nvml nvml, int index) {
    return new GpuPollState(index, probe(nvml, index), thread, deadlines, monotonic);
  }

  private GpuProbe probe(Nvml nvml, int index) {
    return new GpuProbe(nvml, index, files, repartitioned::remove, monotonic, clock);
  }

  /** Versions that do not change during a session; null if not reported. */
  private record Versions(@Nullable CudaVersion cuda, @Nullable String library) {
    static final Versions UNKNOWN = new Versions(null, null);

    static Versions of(Nvml nvml) {
      return new Versions(
          nvml.cudaVersion() instanceof Value<Integer>(var number) ? CudaVersion.of(number) : null,
          nvml.nvmlVersion() instanceof Value<String>(var version) ? version : null);
    }
  }

  /** One poll of all GPUs. */
  private final class PollRound<R> {
    private final @Nullable GpuReader<R> reader;
    private final boolean refresh;
    private final long began;
    private final List<GpuPollState> all;
    private final List<@Nullable GpuProbeResult<R>> answers;

    PollRound(@Nullable GpuReader<R> reader, boolean refresh, long began, int gpus) {
      this.reader = reader;
      this.refresh = refresh;
      this.began = began;
      this.all = IntStream.range(0, gpus).mapToObj(states::get).toList();
      this.answers = new ArrayList<>(Collections.nCopies(gpus, null));
    }

    /** The GPUs that are known and not late: nearly always all of them. */
    void pollTogether() {
      var ready = all.stream().filter(GpuPollState::isReady).toList();
      int inAll = notStuck();
      var before = since(began);
      thread.callAll(
          ready.stream().map(state -> state.call(reader, refresh)).toList(),
          (i, after) -> patience(before.plus(after), inAll - i),
          (outcome, i) ->
              answers.set(ready.get(i).index(), ready.get(i).took(outcome, reader, began)));
    }

    /** Those that are not known yet, and those whose call is late. */
    void pollSingly() {
      long warmSince = began;
      for (int index = 0; index < answers.size(); index++) {
        if (answers.get(index) == null) {
          var answer = all.get(index).poll(reader, refresh, patience(since(warmSince), notStuck()));
          answers.set(index, answer);
          if (isCold && answer.fault() != GpuStatus.GpuFault.OVERDUE) {
            isCold = false;
            warmSince = monotonic.nanos();
          }
        }
      }
    }

    List<GpuProbeResult<R>> answers() {
      return answers.stream().map(Objects::requireNonNull).toList();
    }

    /** How many are still to be polled, and can be. */
    private int notStuck() {
      int left = 0;
      for (int index = 0; index < answers.size(); index++) {
        if (answers.get(index) == null && !all.get(index).isStuck()) {
          left++;
        }
      }
      return left;
    }

    private Duration since(long then) {
      return Duration.ofNanos(monotonic.nanos() - then);
    }

    /** Until the first GPU has responded, the program itself may be slow, on a node that boots. */
    private Duration patience(Duration spent, int gpusLeft) {
      long gpu = deadlines.gpu().toNanos();
      long poll = deadlines.poll().toNanos();
      long atMost =
          isCold
              ? Math.min(
                  gpu * TIMES_AS_PATIENT_WHILE_COLD,
                  poll * TIMES_AS_PATIENT_WHILE_COLD - spent.toNanos())
              : Math.min(gpu, (poll - spent.toNanos()) / Math.max(1, gpusLeft));
      return Duration.ofNanos(Math.max(GpuPollState.SHORTEST_PATIENCE.toNanos(), atMost));
    }
  }

  /** Notes that a GPU may be partitioned in another way, and has it polled at once. */
  private final class MigListener implements EventWatch.Listener {
    @Override
    public void begins(GpuUuid gpu) {
      repartitioned.add(gpu);
    }

    @Override
    public void ends(GpuUuid gpu) {}

    @Override
    public void happened(DriverEvent event) {
      if (event instanceof DriverEvent.MigChanged(var gpu)) {
        GpuPoller.this.repartitioned(gpu);
      }
    }
  }
}
