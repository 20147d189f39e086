package io.gpureclaimer.exporter.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gpureclaimer.exporter.StrictScrape;
import io.gpureclaimer.exporter.StrictScrape.Sample;
import io.gpureclaimer.exporter.faults.History.Span;
import io.gpureclaimer.exporter.faults.World.Counters;
import io.gpureclaimer.exporter.faults.World.Driver;
import io.gpureclaimer.exporter.faults.World.Fault;
import io.gpureclaimer.exporter.faults.World.Kubelet;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Holds what the agent says against what was true.
 *
 * <p>What it may say late, it has these times for; where the machine itself stood still, as long as
 * that besides.
 */
final class Witness {
  /** A value is at most so old. */
  private static final Duration OLDEST = Duration.ofSeconds(2);

  /** Who has no GPU any more is not named with it any longer; what came back is there again. */
  private static final Duration SETTLED = Duration.ofSeconds(10);

  /** The kubelet's last word stands so long, and then two questions more may be on their way. */
  private static final Duration LAST_WORD = Duration.ofSeconds(5);

  /** A GPU that was ill has to be well for a while. */
  private static final Duration CONVALESCENCE = Duration.ofSeconds(15);

  /** Times are told in milliseconds. */
  private static final Duration ROUNDED = Duration.ofMillis(1);

  /** Between two passes. */
  private static final Duration PASS = Duration.ofSeconds(1);

  /** A longer time without an answer ends an observation. */
  private static final Duration LONGEST_GAP = Duration.ofSeconds(5);

  private final Node node;
  private final History history;
  private final Map<Integer, Count> xids = new HashMap<>();
  private final List<String> complaints = new ArrayList<>();
  private final Set<String> things = new HashSet<>();

  private Instant asked = Instant.EPOCH;
  private Instant answered = Instant.EPOCH;
  private Duration stall = Duration.ZERO;

  Witness(Node node) {
    this.node = node;
    this.history = node.history();
  }

  /** What was wrong so far. */
  List<String> complaints() {
    return List.copyOf(complaints);
  }

  /** What has been seen at all, so that a test can tell that something happened. */
  Set<String> things() {
    return Set.copyOf(things);
  }

  /**
   * Looks at an answer of {@code /metrics}.
   *
   * @param asked when it was asked for
   * @param answered when it had come
   * @param stall for how long the machine stood still, lately
   */
  void see(byte[] scrape, Instant asked, Instant answered, Duration stall) {
    this.asked = asked;
    this.answered = answered;
    this.stall = stall;
    List<Sample> samples;
    try {
      samples = StrictScrape.parse(scrape).stream().flatMap(it -> it.samples().stream()).toList();
    } catch (AssertionError e) {
      complain(String.valueOf(e.getMessage()) + "\n" + new String(scrape, UTF_8));
      return;
    }
    if (of(samples, "gpu_exporter_driver_up").isEmpty()) {
      require(asked.isBefore(node.begun().plus(OLDEST).plus(stall)), "a pass has been made");
      return;
    }
    seeDriver(samples);
    seeRemoved(samples);
    seePower(samples);
    seeUtilization(samples);
    seePods(samples);
    seeLedger(samples);
    seeDevices(samples);
    seeXids(samples);
    seeCounters(samples);
  }

  /** Looks at an answer of {@code /ready}. */
  void seeReady(boolean ready, Instant asked, Instant answered, Duration stall) {
    this.asked = asked;
    this.answered = answered;
    this.stall = stall;
    if (!ready
        && surely(
            world ->
                world.driver() == Driver.LOADED
                    && world.kubelet() == Kubelet.ANSWERS
                    && world.gpus().stream().anyMatch(card -> card.fault().answers()))) {
      complain("it is not ready, and driver and kubelet are there");
    }
    if (ready && surely(world -> world.driver() != Driver.LOADED)) {
      complain("it is ready, and the driver is not there");
    }
  }

  /** Looks at what the kubelet would give to a pod. */
  void seeOffer(Set<String> healthy, Instant asked, Instant answered, Duration stall) {
    this.asked = asked;
    this.answered = answered;
    this.stall = stall;
    for (int gpu = 0; gpu < Node.GPUS; gpu++) {
      int which = gpu;
      if (healthy.contains(Node.uuid(gpu))) {
        require(
            !surely(
                world ->
                    world.driver() == Driver.LOADED
                        && isIll(world, which)
                        && world.kubelet() != Kubelet.GONE),
            gpu + " is offered");
      } else {
        things.add("no offer");
        require(
            !history.surelyWas(
                world ->
                    world.driver() == Driver.LOADED
                        && !isIll(world, which)
                        && !world.isShared(which)
                        && world.kubelet() == Kubelet.ANSWERS,
                asked.minus(CONVALESCENCE).minus(stall),
                answered),
            gpu + " is not offered");
      }
    }
  }

  private static boolean isIll(World world, int gpu) {
    return switch (world.gpus().get(gpu).fault()) {
      case LOST, SICK, REMOVED -> true;
      case NONE, HANGS, NO_UTILIZATION, NO_POWER -> false;
    };
  }

  private static boolean anyRemoved(World world) {
    return world.gpus().stream().anyMatch(card -> card.fault() == Fault.REMOVED);
  }

  private void seeDriver(List<Sample> samples) {
    double up = only(samples, "gpu_exporter_driver_up");
    things.add(up == 1 ? "the driver is up" : "the driver is down");
    if (up == 1) {
      require(may(world -> world.driver() == Driver.LOADED, OLDEST), "the driver is up");
    } else {
      require(may(world -> world.driver() != Driver.LOADED, SETTLED), "the driver is down");
    }
    for (var sample : of(samples, "gpu_exporter_gpu_up")) {
      if (sample.series().labels().get("UUID").equals("unknown")) {
        continue;
      }
      int gpu = gpu(sample);
      boolean answers = value(sample) == 1;
      things.add(answers ? "a GPU is up" : "a GPU is down");
      require(
          answers
              ? may(world -> world.mayAnswer(gpu), OLDEST)
              : may(world -> !world.answers(gpu), SETTLED),
          "gpu_up of " + gpu + " is " + answers);
    }
  }

  /** Nothing is said of what is no longer there, but how often it was ill. */
  private void seeRemoved(List<Sample> samples) {
    for (int gpu = 0; gpu < Node.GPUS; gpu++) {
      int which = gpu;
      if (surely(world -> !world.has(which))) {
        for (var sample : samples) {
          require(
              !Node.uuid(gpu).equals(sample.series().labels().get("UUID"))
                  || sample.series().name().contains("xid")
                  || sample.series().name().startsWith("gpu_device_plugin_"),
              gpu + " is removed, and there is " + sample);
        }
      }
    }
  }

  /** A value is one that the GPU had a moment ago, and it is there if it can be. */
  private void seePower(List<Sample> samples) {
    var told = new HashSet<Integer>();
    for (var sample : of(samples, "DCGM_FI_DEV_POWER_USAGE")) {
      int gpu = gpu(sample);
      told.add(gpu);
      double watts = value(sample);
      require(
          may(
              world ->
                  world.mayAnswer(gpu)
                      && world.gpus().get(gpu).fault() != Fault.NO_POWER
                      && world.gpus().get(gpu).milliwatts() / 1000.0 == watts,
              OLDEST),
          "power of " + gpu + " is " + watts);
      require(!surely(world -> world.counters() == Counters.WITHOUT_POWER), "power is served");
    }
    for (int gpu = 0; gpu < Node.GPUS; gpu++) {
      int which = gpu;
      require(
          told.contains(gpu)
              || !surely(
                  world ->
                      world.tellsPower(which)
                          && !world.hangs()
                          && world.counters() == Counters.WITH_POWER),
          "power of " + gpu + " is missing");
    }
  }

  private void seeUtilization(List<Sample> samples) {
    var told = new HashSet<Integer>();
    for (var sample : of(samples, "DCGM_FI_DEV_GPU_UTIL")) {
      int gpu = gpu(sample);
      told.add(gpu);
      double percent = value(sample);
      require(
          may(
              world -> world.mayTellUtilization(gpu) && world.gpus().get(gpu).percent() == percent,
              OLDEST),
          "utilization of " + gpu + " is " + percent);
    }
    for (int gpu = 0; gpu < Node.GPUS; gpu++) {
      int which = gpu;
      require(
          told.contains(gpu) || !surely(world -> world.tellsUtilization(which) && !world.hangs()),
          "utilization of " + gpu + " is missing");
    }
  }

  /** A pod is named with a GPU that it has, or had a moment ago, alone. */
  private void seePods(List<Sample> samples) {
    boolean silent = surely(world -> world.kubelet() != Kubelet.ANSWERS);
    for (var sample : of(samples, "DCGM_FI_DEV_GPU_UTIL")) {
      int gpu = gpu(sample);
      String pod = sample.series().labels().getOrDefault("pod", "");
      if (pod.isEmpty()) {
        var holders =
            history.last().gpus().get(gpu).pods().size() == 1
                ? history.last().gpus().get(gpu).pods().iterator().next()
                : "";
        require(
            holders.isEmpty()
                || !surely(
                    world ->
                        world.holdsAlone(holders, gpu)
                            && world.answers(gpu)
                            && world.kubelet() == Kubelet.ANSWERS),
            "no pod at " + gpu);
      } else {
        things.add("a pod holds a GPU");
        require(!silent, pod + " at " + gpu + " while the kubelet is silent");
        require(may(world -> world.holdsAlone(pod, gpu), LAST_WORD), pod + " alone at " + gpu);
      }
    }
  }

  private void seeDevices(List<Sample> samples) {
    for (var sample : of(samples, "gpu_pod_device_count")) {
      String pod = sample.series().labels().getOrDefault("pod", "");
      double count = value(sample);
      require(
          may(world -> world.devicesOf(pod) == count || anyRemoved(world), LAST_WORD),
          pod + " holds " + count + " devices");
    }
  }

  private void seeLedger(List<Sample> samples) {
    var since = byHolder(samples, "gpu_pod_observed_since_timestamp_seconds");
    var until = byHolder(samples, "gpu_pod_observed_until_timestamp_seconds");
    var active = byHolder(samples, "gpu_pod_last_active_timestamp_seconds");
    var busy = byHolder(samples, "gpu_pod_busy_seconds_total");
    require(since.keySet().equals(until.keySet()), "since and until go together");
    require(since.keySet().containsAll(active.keySet()), "activity lies in an observation");
    require(since.keySet().equals(busy.keySet()), "busy and since go together");
    since.forEach(
        (holder, from) -> {
          things.add("an observation");
          var to = until.getOrDefault(holder, from);
          seeObservation(holder, from, to);
          seeWork(holder, from, to, active.get(holder));
          seeBusy(holder, from, to, busy.getOrDefault(holder, from));
        });
    for (int gpu = 0; gpu < Node.GPUS; gpu++) {
      for (String pod : history.last().gpus().get(gpu).pods()) {
        seeMissing(new Holder(pod, gpu), until);
      }
    }
  }

  private record Holder(String pod, int gpu) {
    boolean observed(World world) {
      return world.tellsUtilization(gpu) && world.holds(pod, gpu);
    }

    boolean mayBeObserved(World world) {
      return world.mayTellUtilization(gpu) && world.holds(pod, gpu);
    }

    boolean working(World world) {
      return world.tellsUtilization(gpu) && world.gpus().get(gpu).percent() > 0;
    }

    boolean mayBeWorking(World world) {
      return world.mayTellUtilization(gpu) && world.gpus().get(gpu).percent() > 0;
    }
  }

  private void seeMissing(Holder holder, Map<Holder, Instant> until) {
    if (surely(
        world -> holder.observed(world) && world.kubelet() == Kubelet.ANSWERS && !world.hangs())) {
      require(
          until.containsKey(holder)
              && !until.get(holder).isBefore(asked.minus(OLDEST).minus(stall)),
          holder + " is observed, until " + until.get(holder));
    }
  }

  /** It answered at its end, and was never silent for long. */
  private void seeObservation(Holder holder, Instant since, Instant until) {
    require(!since.plus(ROUNDED).isBefore(node.begun()), holder + " is observed since " + since);
    require(!until.isAfter(answered.plus(ROUNDED)), holder + " is observed until " + until);
    require(
        history.mayHaveBeen(
            world -> world.mayTellUtilization(holder.gpu()), until.minus(PASS).minus(stall), until),
        holder + " could be observed at " + until);
    for (Span silence : history.spans(world -> !holder.mayBeObserved(world), answered)) {
      boolean within = since.isBefore(silence.from()) && until.isAfter(silence.to());
      require(
          !within || silence.length().compareTo(LONGEST_GAP.plus(LAST_WORD).plus(stall)) < 0,
          holder + " is observed since " + since + " through " + silence);
    }
    for (Span silence : history.spans(world -> !world.mayTellUtilization(holder.gpu()), answered)) {
      boolean within = since.isBefore(silence.from()) && until.isAfter(silence.to());
      require(
          !within || silence.length().compareTo(LONGEST_GAP.plus(PASS).plus(stall)) < 0,
          holder + " is observed since " + since + " through silence of its GPU, " + silence);
    }
  }

  /** No work is told that was none, and none is missed that could be seen. */
  private void seeWork(Holder holder, Instant since, Instant until, @Nullable Instant last) {
    if (last != null) {
      things.add("work");
      require(
          history.mayHaveBeen(
              holder::mayBeWorking, last.minus(PASS).minus(stall), last.plus(ROUNDED)),
          holder + " worked at " + last);
      require(!last.isBefore(since) && !last.isAfter(until), holder + " worked while observed");
    }
    for (Span work : history.spans(holder::working, answered)) {
      boolean within = !since.isAfter(work.from()) && !until.isBefore(work.to());
      if (within && work.length().compareTo(PASS.plus(stall)) > 0) {
        require(
            last != null && !last.isBefore(work.to().minus(PASS).minus(stall)),
            holder + " worked in " + work + " but is said to have worked last at " + last);
      }
    }
  }

  /** No more seconds than there can have been. */
  private void seeBusy(Holder holder, Instant since, Instant until, Instant told) {
    double seconds = told.toEpochMilli() / 1000.0;
    require(
        seconds <= Duration.between(since, until).toMillis() / 1000.0 + 0.001,
        holder + " was busy for " + seconds + " s of " + since + " to " + until);
    double least = 0;
    for (Span work :
        history.spans(world -> holder.working(world) && holder.observed(world), answered)) {
      if (!since.isAfter(work.from()) && !until.isBefore(work.to())) {
        least += Math.max(0, work.length().minus(PASS).minus(stall).toMillis() / 1000.0);
      }
    }
    require(seconds >= least, holder + " was busy for " + seconds + " s, at least " + least);
    if (history.surelyWas(
        world -> world.gpus().get(holder.gpu()).percent() == 0, since.minus(PASS), answered)) {
      require(seconds == 0, holder + " was never busy, and is said to have been: " + seconds);
    }
  }

  private record Count(Instant begun, double count) {}

  /** None is counted twice, none forgotten, none invented. */
  private void seeXids(List<Sample> samples) {
    for (var sample : of(samples, "gpu_xids_total")) {
      int gpu = gpu(sample);
      double count = value(sample);
      if (count > 0) {
        things.add("an XID");
      }
      var last = xids.put(gpu, new Count(node.begun(), count));
      require(
          last == null || last.begun().isBefore(node.begun()) || last.count() <= count,
          "XIDs of " + gpu + " went from " + last + " to " + count);
      long told = node.xids().stream().filter(heard -> heard.gpu() == gpu).count();
      require(count <= told, "XIDs of " + gpu + ": " + count + " of " + told);
      long sure =
          node.xids().stream()
              .filter(heard -> heard.gpu() == gpu && heard.at().isBefore(asked.minus(OLDEST)))
              .filter(
                  heard ->
                      history.surelyWas(
                          world -> world.answers(gpu),
                          heard.at().minus(SETTLED),
                          earlier(heard.at().plus(OLDEST), answered)))
              .count();
      require(count >= sure, "XIDs of " + gpu + ": " + count + ", at least " + sure);
    }
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  private void seeCounters(List<Sample> samples) {
    boolean good = only(samples, "gpu_exporter_config_last_reload_successful") == 1;
    things.add(good ? "the counters file is good" : "the counters file is broken");
    require(
        may(world -> (world.counters() != Counters.BROKEN) == good, SETTLED),
        "the counters file is " + (good ? "good" : "broken"));
  }

  private boolean may(Predicate<World> so, Duration ago) {
    return history.mayHaveBeen(so, asked.minus(ago).minus(stall), answered);
  }

  /** For long enough that it must have been noticed. */
  private boolean surely(Predicate<World> so) {
    return history.surelyWas(so, asked.minus(SETTLED).minus(stall), answered);
  }

  private void require(boolean so, String what) {
    if (!so) {
      complain(what);
    }
  }

  private void complain(String what) {
    complaints.add(answered + " (stall " + stall.toMillis() + " ms): not so: " + what);
  }

  private static List<Sample> of(List<Sample> samples, String name) {
    return samples.stream().filter(sample -> sample.series().name().equals(name)).toList();
  }

  private double only(List<Sample> samples, String name) {
    var found = of(samples, name);
    require(found.size() == 1, name + " is there once");
    return found.isEmpty() ? Double.NaN : value(found.getFirst());
  }

  private static double value(Sample sample) {
    return Double.parseDouble(sample.value());
  }

  private static int gpu(Sample sample) {
    String uuid = sample.series().labels().getOrDefault("UUID", "-1");
    return Integer.parseInt(uuid.substring(uuid.length() - 1));
  }

  private static Map<Holder, Instant> byHolder(List<Sample> samples, String name) {
    return of(samples, name).stream()
        .collect(
            Collectors.toMap(
                sample -> new Holder(sample.series().labels().getOrDefault("pod", ""), gpu(sample)),
                sample -> Instant.ofEpochMilli(Math.round(value(sample) * 1000))));
  }
}
