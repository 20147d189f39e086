package io.gpureclaimer.exporter.faults;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** Looks at how many XIDs are said to have been. */
final class XidWitness {
  private final Node node;
  private final Findings findings;

  private final Map<Integer, Count> xids = new HashMap<>();

  XidWitness(Node node, Findings findings) {
    this.node = node;
    this.findings = findings;
  }

  private record Count(Instant begun, double count) {}

  /** None is counted twice, none forgotten, none invented. */
  void see(Look look) {
    for (var sample : look.of("gpu_xids_total")) {
      int gpu = Look.device(sample);
      double count = Look.value(sample);
      if (count > 0) {
        findings.saw("an XID");
      }
      var last = xids.put(gpu, new Count(node.begun(), count));
      findings.require(
          look,
          last == null || last.begun().isBefore(node.begun()) || last.count() <= count,
          "XIDs of " + gpu + " went from " + last + " to " + count);
      long told = node.xids().stream().filter(heard -> heard.gpu() == gpu).count();
      findings.require(look, count <= told, "XIDs of " + gpu + ": " + count + " of " + told);
      long sure =
          node.xids().stream()
              .filter(
                  heard ->
                      heard.gpu() == gpu && heard.at().isBefore(look.asked().minus(Look.OLDEST)))
              .filter(
                  heard ->
                      look.history()
                          .surelyWas(
                              world -> world.answers(gpu),
                              heard.at().minus(Look.SETTLED),
                              earlier(heard.at().plus(Look.OLDEST), look.answered())))
              .count();
      findings.require(look, count >= sure, "XIDs of " + gpu + ": " + count + ", at least " + sure);
    }
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }
}
