package io.gpureclaimer.exporter.http;

import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;

/** Start page for browsers. */
@Controller
final class IndexController {
  private static final String PAGE =
      """
      <!DOCTYPE html>
      <html lang="en">
      <head><meta charset="utf-8"><title>gpu-exporter</title></head>
      <body>
      <h1>gpu-exporter</h1>
      <ul>
      <li><a href="metrics">metrics</a></li>
      <li><a href="status">status</a></li>
      <li><a href="ready">ready</a></li>
      <li><a href="health">health</a></li>
      </ul>
      </body>
      </html>
      """;

  @Get(value = "/", produces = MediaType.TEXT_HTML)
  String index() {
    return PAGE;
  }
}
