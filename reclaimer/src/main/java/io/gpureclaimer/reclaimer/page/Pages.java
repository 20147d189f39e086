package io.gpureclaimer.reclaimer.page;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.Utf8ByteOutput;
import java.util.Map;

/** HTML of the pages, from the templates in {@code src/main/jte}. */
public final class Pages {
  /** Path of the first page. */
  public static final String CLUSTER = "/ui";

  /** Path of the list of workloads; below it, of each. */
  public static final String WORKLOADS = "/ui/workloads";

  private final TemplateEngine engine = TemplateEngine.createPrecompiled(ContentType.Html);

  /** A page in UTF-8. */
  public byte[] cluster(ClusterPage page) {
    return render("cluster.jte", Map.of("page", page));
  }

  /** A page in UTF-8. */
  public byte[] workloads(WorkloadsPage page) {
    return render("workloads.jte", Map.of("page", page));
  }

  /** A page in UTF-8. */
  public byte[] workload(WorkloadPage page) {
    return render("workload.jte", Map.of("page", page));
  }

  /**
   * A page in UTF-8 that has only a heading and a text.
   *
   * @param text whole sentences; line feeds are kept
   */
  public byte[] message(PageFrame frame, String heading, String text) {
    return render("message.jte", Map.of("frame", frame, "heading", heading, "text", text));
  }

  private byte[] render(String template, Map<String, Object> parameters) {
    var output = new Utf8ByteOutput();
    engine.render(template, parameters, output);
    return output.toByteArray();
  }
}
