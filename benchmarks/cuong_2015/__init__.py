"""Cuong et al. 2015: high-order semi-CRFs for references, section headings and author headers."""
