package io.gpureclaimer.exporter.faults;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** Checks the reported number of XIDs. */
final class XidCheck {
  private final FaultyNodeSimulation node;
  private final CheckFindings findings;

  private final Map<Integer, XidCount> xids = new HashMap<>();

  XidCheck(FaultyNodeSimulation node, CheckFindings findings) {
    this.node = node;
    this.findings = findings;
  }

  private record XidCount(Instant begun, double count) {}

  /** None is counted twice, none forgotten, none invented. */
  void see(AgentOutput look) {
    for (var sample : look.of("gpu_xids_total")) {
      int gpu = AgentOutput.device(sample);
      double count = AgentOutput.value(sample);
      if (count > 0) {
        findings.saw("an XID");
      }
      var last = xids.put(gpu, new XidCount(node.begun(), count));
      findings.require(
          look,
          last == null || last.begun().isBefore(node.begun()) || last.count() <= count,
          "XIDs of " + gpu + " went from " + last + " to " + count);
      long reported = node.xids().stream().filter(heard -> heard.gpu() == gpu).count();
      findings.require(
          look, count <= reported, "XIDs of " + gpu + ": " + count + " of " + reported);
      long sure =
          node.xids().stream()
              .filter(
                  heard ->
                      heard.gpu() == gpu
                          && heard.at().isBefore(look.asked().minus(AgentOutput.OLDEST)))
              .filter(
                  heard ->
                      look.history()
                          .surelyWas(
                              world -> world.answers(gpu),
                              heard.at().minus(AgentOutput.SETTLED),
                              earlier(heard.at().plus(AgentOutput.OLDEST), look.answered())))
              .count();
      findings.require(look, count >= sure, "XIDs of " + gpu + ": " + count + ", at least " + sure);
    }
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }
}
