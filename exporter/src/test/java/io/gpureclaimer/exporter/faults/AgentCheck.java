package io.gpureclaimer.exporter.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gpureclaimer.exporter.StrictScrape;
import io.gpureclaimer.exporter.StrictScrape.ScrapedSample;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** Holds what the agent says against what was true. */
final class AgentCheck {
  private final FaultyNodeSimulation node;
  private final MachineStalls stalls;
  private final CheckFindings findings = new CheckFindings();
  private final DriverCheck driver = new DriverCheck(findings);
  private final AttributionCheck pods = new AttributionCheck(findings);
  private final LedgerCheck ledger;
  private final XidCheck xids;
  private final AllocationCheck offer = new AllocationCheck(findings);

  AgentCheck(FaultyNodeSimulation node, MachineStalls stalls) {
    this.node = node;
    this.stalls = stalls;
    ledger = new LedgerCheck(node, findings);
    xids = new XidCheck(node, findings);
  }

  /** What was wrong so far. */
  List<String> complaints() {
    return findings.complaints();
  }

  /** What was observed, so that a test can require that something happened. */
  Set<String> things() {
    return findings.things();
  }

  /** Looks once at all that the agent says. */
  void look(TestAgent agent) {
    see(agent);
    var asked = Instant.now();
    boolean ready = agent.isReady();
    offer.see(ready, look(List.of(), asked));
    offer.see(node.healthy(), look(List.of(), Instant.now()));
  }

  private void see(TestAgent agent) {
    var asked = Instant.now();
    byte[] scrape = agent.scrape();
    var look = look(List.of(), asked);
    try {
      look = look(parsed(scrape), asked);
    } catch (AssertionError e) {
      findings.require(look, false, e.getMessage() + "\n" + new String(scrape, UTF_8));
    }
    if (look.of("gpu_exporter_driver_up").isEmpty()) {
      boolean young = asked.isBefore(node.begun().plus(AgentOutput.OLDEST).plus(look.stall()));
      findings.require(look, young, "a pass has been made");
      return;
    }
    driver.see(look);
    pods.see(look);
    ledger.see(look);
    xids.see(look);
  }

  private static List<ScrapedSample> parsed(byte[] scrape) {
    return StrictScrape.parse(scrape).stream().flatMap(it -> it.samples().stream()).toList();
  }

  private AgentOutput look(List<ScrapedSample> samples, Instant asked) {
    return new AgentOutput(
        samples,
        node.history(),
        asked,
        Instant.now(),
        stalls.lately(),
        stalls.within(AgentOutput.OLDEST.multipliedBy(2)));
  }
}
