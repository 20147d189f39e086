package io.gpureclaimer.exporter.faults;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.gpureclaimer.exporter.StrictScrape;
import io.gpureclaimer.exporter.StrictScrape.Sample;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** Holds what the agent says against what was true. */
final class Witness {
  private final Node node;
  private final Stalls stalls;
  private final Findings findings = new Findings();
  private final DriverWitness driver = new DriverWitness(findings);
  private final PodWitness pods = new PodWitness(findings);
  private final LedgerWitness ledger;
  private final XidWitness xids;
  private final OfferWitness offer = new OfferWitness(findings);

  Witness(Node node, Stalls stalls) {
    this.node = node;
    this.stalls = stalls;
    ledger = new LedgerWitness(node, findings);
    xids = new XidWitness(node, findings);
  }

  /** What was wrong so far. */
  List<String> complaints() {
    return findings.complaints();
  }

  /** What has been seen at all, so that a test can tell that something happened. */
  Set<String> things() {
    return findings.things();
  }

  /** Looks once at all that the agent says. */
  void look(Agent agent) {
    see(agent);
    var asked = Instant.now();
    boolean ready = agent.isReady();
    offer.see(ready, look(List.of(), asked));
    offer.see(node.healthy(), look(List.of(), Instant.now()));
  }

  private void see(Agent agent) {
    var asked = Instant.now();
    byte[] scrape = agent.scrape();
    var look = look(List.of(), asked);
    try {
      look = look(parsed(scrape), asked);
    } catch (AssertionError e) {
      findings.require(look, false, e.getMessage() + "\n" + new String(scrape, UTF_8));
    }
    if (look.of("gpu_exporter_driver_up").isEmpty()) {
      boolean young = asked.isBefore(node.begun().plus(Look.OLDEST).plus(look.stall()));
      findings.require(look, young, "a pass has been made");
      return;
    }
    driver.see(look);
    pods.see(look);
    ledger.see(look);
    xids.see(look);
  }

  private static List<Sample> parsed(byte[] scrape) {
    return StrictScrape.parse(scrape).stream().flatMap(it -> it.samples().stream()).toList();
  }

  private Look look(List<Sample> samples, Instant asked) {
    return new Look(samples, node.history(), asked, Instant.now(), stalls.lately());
  }
}
