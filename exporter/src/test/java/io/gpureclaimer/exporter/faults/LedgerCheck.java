package io.gpureclaimer.exporter.faults;

import io.gpureclaimer.exporter.faults.ActualNode.Kubelet;
import io.gpureclaimer.exporter.faults.NodeHistory.HistorySpan;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks the reported activity, and the start of its observation. */
final class LedgerCheck {
  /** Between two passes. */
  private static final Duration PASS = Duration.ofSeconds(1);

  /** A longer time without an answer ends an observation. */
  private static final Duration LONGEST_GAP = Duration.ofSeconds(5);

  private final FaultyNodeSimulation node;
  private final CheckFindings findings;

  LedgerCheck(FaultyNodeSimulation node, CheckFindings findings) {
    this.node = node;
    this.findings = findings;
  }

  void see(AgentOutput look) {
    var since = byHolder(look, "gpu_pod_observed_since_timestamp_seconds");
    var until = byHolder(look, "gpu_pod_observed_until_timestamp_seconds");
    var active = byHolder(look, "gpu_pod_last_active_timestamp_seconds");
    var busy = byHolder(look, "gpu_pod_busy_seconds_total");
    findings.require(look, since.keySet().equals(until.keySet()), "since and until go together");
    findings.require(
        look, since.keySet().containsAll(active.keySet()), "activity lies in an observation");
    findings.require(look, since.keySet().equals(busy.keySet()), "busy and since go together");
    since.forEach(
        (holder, from) -> {
          findings.saw("an observation");
          var to = until.getOrDefault(holder, from);
          seeObservation(look, holder, from, to);
          seeWork(look, holder, from, to, active.get(holder));
          seeBusy(look, holder, from, to, busy.getOrDefault(holder, from));
        });
    for (int device = 0; device < look.history().last().cards().size(); device++) {
      for (String pod : look.history().last().cards().get(device).pods()) {
        seeMissing(look, new LedgerHolder(pod, device), until);
      }
    }
  }

  private record LedgerHolder(String pod, int device) {
    boolean observed(ActualNode world) {
      return world.reportsWork(device) && world.holds(pod, device);
    }

    boolean mayBeObserved(ActualNode world) {
      return world.mayReportWork(device) && world.holds(pod, device);
    }

    boolean working(ActualNode world) {
      return world.reportsWork(device) && world.cards().get(device).percent() > 0;
    }

    boolean mayBeWorking(ActualNode world) {
      return world.mayReportWork(device) && world.cards().get(device).percent() > 0;
    }
  }

  private void seeMissing(AgentOutput look, LedgerHolder holder, Map<LedgerHolder, Instant> until) {
    if (look.surely(
        holder.device(),
        world ->
            world.mustReportWork(holder.device())
                && world.holds(holder.pod(), holder.device())
                && world.kubelet() == Kubelet.ANSWERS)) {
      findings.require(
          look,
          until.containsKey(holder)
              && !until
                  .get(holder)
                  .isBefore(look.asked().minus(AgentOutput.OLDEST).minus(look.stall())),
          holder + " is observed, until " + until.get(holder));
    }
  }

  /** It look.answered() at its end, and was never silent for long. */
  private void seeObservation(AgentOutput look, LedgerHolder holder, Instant since, Instant until) {
    findings.require(
        look,
        !since.plus(AgentOutput.ROUNDED).isBefore(node.begun()),
        holder + " is observed since " + since);
    findings.require(
        look,
        !until.isAfter(look.answered().plus(AgentOutput.ROUNDED)),
        holder + " is observed until " + until);
    findings.require(
        look,
        look.history()
            .mayHaveBeen(
                world -> world.mayReportWork(holder.device()),
                until.minus(PASS).minus(look.stall()),
                until.plus(AgentOutput.ROUNDED)),
        holder + " could be observed at " + until);
    for (HistorySpan silence :
        look.history().spans(world -> !holder.mayBeObserved(world), look.answered())) {
      boolean within = since.isBefore(silence.from()) && until.isAfter(silence.to());
      findings.require(
          look,
          !within
              || silence
                      .length()
                      .compareTo(LONGEST_GAP.plus(AgentOutput.LAST_WORD).plus(look.stall()))
                  < 0,
          holder + " is observed since " + since + " through " + silence);
    }
    for (HistorySpan silence :
        look.history().spans(world -> !world.mayReportWork(holder.device()), look.answered())) {
      boolean within = since.isBefore(silence.from()) && until.isAfter(silence.to());
      findings.require(
          look,
          !within || silence.length().compareTo(LONGEST_GAP.plus(PASS).plus(look.stall())) < 0,
          holder + " is observed since " + since + " through silence of its GPU, " + silence);
    }
  }

  /** No false activity is reported, and no visible activity is missed. */
  private void seeWork(
      AgentOutput look, LedgerHolder holder, Instant since, Instant until, @Nullable Instant last) {
    if (last != null) {
      findings.saw("work");
      findings.require(
          look,
          look.history()
              .mayHaveBeen(
                  holder::mayBeWorking,
                  last.minus(PASS).minus(look.stall()),
                  last.plus(AgentOutput.ROUNDED)),
          holder + " worked at " + last);
      findings.require(
          look, !last.isBefore(since) && !last.isAfter(until), holder + " worked while observed");
    }
    for (HistorySpan work : look.history().spans(holder::working, look.answered())) {
      boolean within = !since.isAfter(work.from()) && !until.isBefore(work.to());
      if (within && work.length().compareTo(PASS.plus(look.stall())) > 0) {
        findings.require(
            look,
            last != null && !last.isBefore(work.to().minus(PASS).minus(look.stall())),
            holder + " worked in " + work + " but is said to have worked last at " + last);
      }
    }
  }

  /** At most the seconds that can have passed. */
  private void seeBusy(
      AgentOutput look, LedgerHolder holder, Instant since, Instant until, Instant reported) {
    double seconds = reported.toEpochMilli() / 1000.0;
    findings.require(
        look,
        seconds <= Duration.between(since, until).toMillis() / 1000.0 + 0.001,
        holder + " was busy for " + seconds + " s of " + since + " to " + until);
    double least = 0;
    for (HistorySpan work :
        look.history()
            .spans(world -> holder.working(world) && holder.observed(world), look.answered())) {
      if (!since.isAfter(work.from()) && !until.isBefore(work.to())) {
        least += Math.max(0, work.length().minus(PASS).minus(look.stall()).toMillis() / 1000.0);
      }
    }
    findings.require(
        look, seconds >= least, holder + " was busy for " + seconds + " s, at least " + least);
    if (look.history()
        .surelyWas(
            world -> world.cards().get(holder.device()).percent() == 0,
            since.minus(PASS),
            look.answered())) {
      findings.require(
          look, seconds == 0, holder + " was never busy, and is said to have been: " + seconds);
    }
  }

  private static Map<LedgerHolder, Instant> byHolder(AgentOutput look, String name) {
    return look.of(name).stream()
        .collect(
            Collectors.toMap(
                sample ->
                    new LedgerHolder(
                        sample.series().labels().getOrDefault("pod", ""),
                        AgentOutput.device(sample)),
                sample -> Instant.ofEpochMilli(Math.round(AgentOutput.value(sample) * 1000))));
  }
}
