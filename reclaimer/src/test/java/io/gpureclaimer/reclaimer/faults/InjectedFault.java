package io.gpureclaimer.reclaimer.faults;

import io.gpureclaimer.common.vocabulary.DcgmField;
import io.gpureclaimer.reclaimer.faults.FakeReceivers.Reception;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One way in which the world is wrong, for a while, again and again. */
@SuppressWarnings("ImmutableEnumChecker") // a number, a duration, a field or another enum
enum InjectedFault {
  AGENT_DOWN_ON_ONE_NODE,
  AGENT_DOWN_ON_ALL_NODES,
  AGENT_RESTARTED,
  AGENT_FROZEN,
  ONE_GPU_FROZEN,
  GPU_REPLACED,
  PROMETHEUS_RESTARTED,
  PROMETHEUS_SLOW(ServerBehavior.SLOW),
  PROMETHEUS_EMPTY(ServerBehavior.EMPTY),
  PROMETHEUS_FAILING(ServerBehavior.FAILING),
  PROMETHEUS_OVERLOADED(ServerBehavior.OVERLOADED),
  PROMETHEUS_CUT(ServerBehavior.CUT),
  PROMETHEUS_PARTIAL(ServerBehavior.PARTIAL),
  PROMETHEUS_BEHIND_A_LOGIN(ServerBehavior.LOGIN_PAGE),
  PROMETHEUS_BEHIND_A_CACHE(ServerBehavior.CACHED),
  REPLICAS_ALTERNATE,
  SERIES_FEDERATED_LATE,
  VALUES_MALFORMED,
  LABELS_LOST,
  SCRAPES_LOST_10(0.1),
  SCRAPES_LOST_30(0.3),
  SCRAPES_LOST_50(0.5),
  SCRAPES_LOST_80(0.8),
  SCRAPES_LOST_90(0.9),
  SAMPLES_LOST_10(0.1),
  SAMPLES_LOST_30(0.3),
  SAMPLES_LOST_50(0.5),
  SAMPLES_LOST_80(0.8),
  SAMPLES_LOST_90(0.9),
  SERIES_LOST_10(0.1),
  SERIES_LOST_50(0.5),
  SERIES_LOST_90(0.9),
  LAST_ACTIVE_DROPPED,
  LAST_SIGNAL_DROPPED,
  ONLY_THE_LAST_SAMPLE(1),
  ONLY_THE_LAST_2_SAMPLES(2),
  ONLY_THE_LAST_10_SAMPLES(10),
  KUBELETS_LOST,
  SERVERS_LOST,
  METERS_LOST_30(new Share(0.3)),
  METERS_LOST_80(new Share(0.8)),
  CONTAINERS_RESTARTED,
  LEDGER_STUCK_AT_ZERO,
  UTILIZATION_STUCK_AT_ZERO,
  COUNTERS_STUCK_AT_ZERO,
  LAST_ACTIVE_STANDS_STILL,
  DEVICE_COUNTS_LOST,
  WORK_SHOWN_BY_COPIES_ALONE(SimulatedAgent.SELDOM_SIGNS.getFirst()),
  WORK_SHOWN_BY_FP64_ALONE(SimulatedAgent.SELDOM_SIGNS.getLast()),
  LABELS_SWAPPED,
  LABELS_SWAPPED_BETWEEN_EQUALS,
  NAMES_REUSED,
  NODE_CLOCK_5_MINUTES_AHEAD(Duration.ofMinutes(5)),
  NODE_CLOCK_5_MINUTES_BEHIND(Duration.ofMinutes(-5)),
  NODE_CLOCK_20_SECONDS_OFF(Duration.ofSeconds(20)),
  PROMETHEUS_CLOCK_5_MINUTES_AHEAD(Duration.ofMinutes(5)),
  PROMETHEUS_CLOCK_5_MINUTES_BEHIND(Duration.ofMinutes(-5)),
  OUR_CLOCK_5_MINUTES_AHEAD(Duration.ofMinutes(5)),
  OUR_CLOCK_5_MINUTES_BEHIND(Duration.ofMinutes(-5)),
  OUR_CLOCK_20_SECONDS_OFF(Duration.ofSeconds(-20)),
  API_401(ApiFault.UNAUTHORIZED),
  API_403(ApiFault.FORBIDDEN),
  API_404(ApiFault.NOT_FOUND),
  API_409(ApiFault.CONFLICT),
  API_410_WATCH_EXPIRED,
  API_429(ApiFault.TOO_MANY),
  API_429_RETRY_AFTER(ApiFault.TOO_MANY_RETRY_AFTER),
  API_500(ApiFault.INTERNAL_ERROR),
  API_CUT_BEFORE(ApiFault.CUT_BEFORE),
  API_CUT_AFTER(ApiFault.CUT_AFTER),
  API_UNREACHABLE,
  RECEIVER_REFUSES(Reception.REFUSES),
  RECEIVER_BUSY(Reception.IS_BUSY),
  RECEIVER_LOSES_ITS_ANSWER(Reception.LOSES_ITS_ANSWER),
  LEASE_LOST,
  LEADER_KILLED,
  EVICTED_PODS_RECREATED,
  POLICIES_CHANGED,
  NAMESPACE_POLICIES_CHANGED;

  /** The raw utilization of two minutes is queried, less what a scrape may lag behind. */
  private static final Duration RAW_WINDOW = Duration.ofSeconds(100);

  /** Reported since the last query and forgotten before the next. */
  private static final Duration UNHEARD = Duration.ofMinutes(1);

  /**
   * What touches single pods, devices or answers, which a selective fetch treats differently; one
   * of each kind.
   */
  private static final Set<InjectedFault> SENSITIVE_IN_PARTS =
      EnumSet.of(
          AGENT_RESTARTED,
          ONE_GPU_FROZEN,
          GPU_REPLACED,
          PROMETHEUS_RESTARTED,
          PROMETHEUS_PARTIAL,
          SAMPLES_LOST_50,
          COUNTERS_STUCK_AT_ZERO,
          LAST_SIGNAL_DROPPED,
          LAST_ACTIVE_STANDS_STILL,
          DEVICE_COUNTS_LOST,
          NAMES_REUSED,
          KUBELETS_LOST);

  private final @Nullable Object detail;

  /** How many of single samples. */
  record Share(double value) {}

  InjectedFault() {
    this.detail = null;
  }

  InjectedFault(Object detail) {
    this.detail = detail;
  }

  /** What exactly, for the faults that come in several strengths. */
  <T> T detail(Class<T> type) {
    return type.cast(Objects.requireNonNull(detail, name()));
  }

  boolean isOf(Class<?> type) {
    return type.isInstance(detail);
  }

  /** Whether nothing wrong is promised to follow; see {@link LimitsOfEvidenceIT} for the others. */
  boolean isPromised() {
    return this != LABELS_SWAPPED_BETWEEN_EQUALS;
  }

  /** All of which it is promised. */
  static Set<InjectedFault> promised() {
    var promised = EnumSet.allOf(InjectedFault.class);
    promised.removeIf(fault -> !fault.isPromised());
    return promised;
  }

  /**
   * Whether the two together leave no trace of short work: one hides it, one loses what is left.
   */
  boolean leavesNoTraceWith(InjectedFault other) {
    return (hidesWork() && other.losesSamples()) || (losesSamples() && other.hidesWork());
  }

  /** Whether only other signals than the ledger show work. */
  boolean hidesWork() {
    return this == LEDGER_STUCK_AT_ZERO
        || this == COUNTERS_STUCK_AT_ZERO
        || this == LAST_ACTIVE_STANDS_STILL;
  }

  /**
   * Whether work that falls between two samples may leave no trace there. Recording rules are lost
   * with the samples and restart.
   */
  boolean leavesGapsIn(EvidenceSourceKind source) {
    return switch (source) {
      case PROMETHEUS, SELECTIVE, DIRECT -> false;
      case SERIES -> losesSamples();
      case RULES -> losesSamples() && this != PROMETHEUS_RESTARTED;
    };
  }

  /**
   * Whether the fault does most harm to this source. The ledger promises the most, so every fault
   * runs with it. Lost samples and a wrong clock of the Prometheus also run with the rules, which
   * have no other memory than stored samples. A fault of an agent or of its answers also runs
   * without a Prometheus, where nothing smooths it.
   */
  boolean isMostSensitive(EvidenceSourceKind source) {
    return switch (source) {
      case PROMETHEUS -> true;
      case SELECTIVE -> SENSITIVE_IN_PARTS.contains(this);
      case SERIES -> isOf(Integer.class) || isOf(DcgmField.class);
      case RULES ->
          losesSamples() || isOf(DcgmField.class) || name().startsWith("PROMETHEUS_CLOCK_");
      case DIRECT ->
          name().startsWith("AGENT_")
              || this == VALUES_MALFORMED
              || this == LABELS_LOST
              || this == LAST_ACTIVE_STANDS_STILL
              || this == DEVICE_COUNTS_LOST;
    };
  }

  private boolean losesSamples() {
    return isOf(Double.class)
        || isOf(Integer.class)
        || this == PROMETHEUS_RESTARTED
        || this == AGENT_DOWN_ON_ONE_NODE
        || this == AGENT_DOWN_ON_ALL_NODES;
  }

  /** Whether it cannot be seen that a counter increases, or stops being reported. */
  boolean keepsTooFewSamples() {
    return isOf(Integer.class);
  }

  /** Whether it concerns other work of pods than that on GPUs. */
  boolean isSideWork() {
    return this == KUBELETS_LOST
        || this == SERVERS_LOST
        || this == CONTAINERS_RESTARTED
        || isOf(Share.class);
  }

  /** By how much less of the end of other work than that on GPUs is noticed. */
  Duration sideWorkSlack() {
    return this == PROMETHEUS_RESTARTED ? UNHEARD : slack();
  }

  /** By how much it may rightly shorten an idle time or a warning. */
  Duration slack() {
    return this == NODE_CLOCK_20_SECONDS_OFF || this == OUR_CLOCK_20_SECONDS_OFF
        ? Duration.ofSeconds(60)
        : Duration.ZERO;
  }

  /** How far back work is noticed all the same, if this hides it from the ledger. */
  Optional<Duration> noticed() {
    return this == LEDGER_STUCK_AT_ZERO ? Optional.of(RAW_WINDOW) : Optional.empty();
  }

  /** Whether it makes a difference where the evidence comes from; most happen to a Prometheus. */
  boolean concerns(EvidenceSourceKind source) {
    return switch (source) {
      case PROMETHEUS, SELECTIVE -> true;
      case SERIES, RULES ->
          this != LEDGER_STUCK_AT_ZERO
              && this != LAST_ACTIVE_STANDS_STILL
              && this != DEVICE_COUNTS_LOST
              && this != LAST_SIGNAL_DROPPED
              && (source == EvidenceSourceKind.RULES || this != LAST_ACTIVE_DROPPED)
              // An exporter that repeats itself is a known gap; see the README.
              && this != AGENT_FROZEN
              && this != ONE_GPU_FROZEN;
      case DIRECT ->
          name().startsWith("AGENT_")
              || name().startsWith("NODE_CLOCK_")
              || name().startsWith("OUR_CLOCK_")
              || this == UTILIZATION_STUCK_AT_ZERO
              || this == LAST_ACTIVE_STANDS_STILL
              || this == DEVICE_COUNTS_LOST
              || isOf(DcgmField.class)
              || (isOf(ServerBehavior.class) && this != PROMETHEUS_SLOW)
              || this == ONE_GPU_FROZEN
              || this == GPU_REPLACED
              || this == VALUES_MALFORMED
              || this == LABELS_LOST
              || this == NAMESPACE_POLICIES_CHANGED
              || this == LABELS_SWAPPED
              || this == NAMES_REUSED;
    };
  }
}
