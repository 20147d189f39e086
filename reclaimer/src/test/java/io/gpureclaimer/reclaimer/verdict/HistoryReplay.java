package io.gpureclaimer.reclaimer.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpureclaimer.reclaimer.cluster.PodView;
import io.gpureclaimer.reclaimer.evidence.DeviceActivity;
import io.gpureclaimer.reclaimer.evidence.Observation;
import io.gpureclaimer.reclaimer.evidence.PodActivity;
import io.gpureclaimer.reclaimer.policy.PodDraft;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Plays a history to the judge, does what it says about warnings, and checks every time that it
 * says due. The source's clock is the truth; the node's and ours are set by the history.
 *
 * <p>What cannot be known is not required: work that fits into a gap which the agent does not
 * notice, and small steps of the node's clock.
 */
final class HistoryReplay {

  /**
   * Some ticks during which nothing changes.
   *
   * @param first whether the first GPU works
   * @param second whether the second GPU works
   * @param watched whether the agent runs
   * @param nodeAhead by how many seconds the node's clock is ahead
   * @param weAhead by how many seconds our clock is ahead
   * @param ticks how many
   */
  record ReplayPeriod(
      boolean first, boolean second, boolean watched, int nodeAhead, int weAhead, int ticks) {}

  private static final Duration TICK = Duration.ofSeconds(10);
  private final int ticksBetweenLooks;
  private final SimulatedLedger one = new SimulatedLedger("1");
  private final SimulatedLedger two = new SimulatedLedger("2");
  private final Map<String, String> annotations = new HashMap<>();

  private Instant now = JudgeScenario.NOW;
  private int nodeAhead;

  /** The newest tick that the agent saw. Before the first nothing is known. */
  private Instant lastWatched = JudgeScenario.NOW;

  private Instant lastWatchedByNode = JudgeScenario.NOW;

  /** The newest activity that the agent saw, or that fell into a gap which it noticed. */
  private Instant lastActivity = JudgeScenario.NOW;

  private Instant lastWatchedActivity = JudgeScenario.NOW;

  /** Activity since the newest tick that the agent saw. */
  private Optional<Instant> hiddenActivity = Optional.empty();

  /** What the node's clock gained since the last activity without detection. */
  private Duration gained = Duration.ZERO;

  private Optional<Instant> warnedAt = Optional.empty();
  private int timesDue;
  private int timesWithdrawn;

  private int ticks;

  /** Looks after every tick. */
  HistoryReplay() {
    this(1);
  }

  /**
   * @param ticksBetweenLooks the agent samples at every tick, the judge at some of them
   */
  HistoryReplay(int ticksBetweenLooks) {
    this.ticksBetweenLooks = ticksBetweenLooks;
  }

  int timesDue() {
    return timesDue;
  }

  int timesWithdrawn() {
    return timesWithdrawn;
  }

  void play(ReplayPeriod stretch) {
    Duration step = Duration.ofSeconds(stretch.nodeAhead() - nodeAhead);
    if (step.isPositive() && step.compareTo(SimulatedLedger.LONGEST_GAP) <= 0) {
      gained = gained.plus(step);
    }
    nodeAhead = stretch.nodeAhead();
    for (int tick = 0; tick < stretch.ticks(); tick++) {
      now = now.plus(TICK);
      live(stretch);
      if (ticks++ % ticksBetweenLooks == 0) {
        judge(stretch);
      }
    }
  }

  private void live(ReplayPeriod stretch) {
    boolean busy = stretch.first() || stretch.second();
    if (stretch.watched()) {
      watch(stretch, busy);
    } else if (busy) {
      hiddenActivity = Optional.of(now);
    }
  }

  private void watch(ReplayPeriod stretch, boolean busy) {
    Instant nodeNow = now.plusSeconds(nodeAhead);
    Duration gap = Duration.between(lastWatchedByNode, nodeNow);
    boolean noticed = gap.isNegative() || gap.compareTo(SimulatedLedger.LONGEST_GAP) > 0;
    if (noticed && hiddenActivity.isPresent()) {
      active(hiddenActivity.get());
    }
    if (busy) {
      active(now);
      lastWatchedActivity = now;
    }
    one.observe(stretch.first(), nodeNow, now);
    two.observe(stretch.second(), nodeNow, now);
    hiddenActivity = Optional.empty();
    lastWatched = now;
    lastWatchedByNode = nodeNow;
  }

  private void active(Instant at) {
    lastActivity = at;
    gained = Duration.ZERO;
  }

  private void judge(ReplayPeriod stretch) {
    PodView pod = PodDraft.pod("a").gpus(2).with(annotations).draw();
    Instant ours = now.plusSeconds(stretch.weAhead());
    Verdict verdict =
        ShortTimes.JUDGE
            .judge(
                JudgeScenario.cluster(JudgeScenario.namespace("ml", "mode", "always"), pod),
                seen(),
                ours)
            .getFirst()
            .verdict();
    switch (verdict) {
      case Verdict.ToWarn toWarn -> warn(Warning.of(toWarn, ours));
      case Verdict.ToWithdraw _ -> withdraw();
      case Verdict.Due _ -> due();
      case Verdict.Active _, Verdict.Unknown _, Verdict.Watching _, Verdict.Warned _ -> {}
      case Verdict.Protected _,
          Verdict.NotRunning _,
          Verdict.Starting _,
          Verdict.Vetoed _,
          Verdict.Reported _,
          Verdict.Notified _ ->
          throw new AssertionError("unexpected: " + verdict);
    }
  }

  private Observation seen() {
    List<DeviceActivity> devices =
        List.of(one, two).stream().flatMap(ledger -> ledger.record().stream()).toList();
    return new Observation.Seen(now, Map.of("a", new PodActivity("a", devices)), List.of());
  }

  private void warn(Warning warning) {
    warning.annotations().forEach((key, value) -> annotations.put(key, value.orElseThrow()));
    warnedAt = Optional.of(now);
  }

  private void withdraw() {
    timesWithdrawn++;
    forgetWarning();
  }

  private void forgetWarning() {
    Warning.removal().keySet().forEach(annotations::remove);
    warnedAt = Optional.empty();
  }

  private void due() {
    assertThat(Duration.between(lastWatched, now)).isLessThanOrEqualTo(ShortTimes.MAX_AGE);
    assertThat(Duration.between(lastActivity, lastWatched))
        .isGreaterThanOrEqualTo(ShortTimes.IDLE_AFTER.minus(gained));
    assertThat(warnedAt).isPresent();
    assertThat(warnedAt.orElseThrow()).isAfter(lastWatchedActivity);
    assertThat(Duration.between(warnedAt.orElseThrow(), now))
        .isGreaterThanOrEqualTo(ShortTimes.WARN_BEFORE.minus(ShortTimes.MAX_SKEW.multipliedBy(2)));
    timesDue++;
    forgetWarning();
  }
}
